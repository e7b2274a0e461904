/** What commands print: tables, progress, texts, exit codes; and how Ctrl-C ends them. */
@NullMarked
package dev.imker.cli.terminal;

import org.jspecify.annotations.NullMarked;
