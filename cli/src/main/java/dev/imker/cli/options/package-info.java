/** Options and arguments that several commands share. */
@NullMarked
package dev.imker.cli.options;

import org.jspecify.annotations.NullMarked;
