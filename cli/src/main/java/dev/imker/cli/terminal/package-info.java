/** Output of commands: tables, progress, texts, exit codes; and handling of Ctrl-C. */
@NullMarked
package dev.imker.cli.terminal;

import org.jspecify.annotations.NullMarked;
