/** Options and arguments shared by several commands. */
@NullMarked
package dev.imker.cli.options;

import org.jspecify.annotations.NullMarked;
