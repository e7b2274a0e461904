/** The entry point of the {@code imker} command. */
@NullMarked
package dev.imker.cli;

import org.jspecify.annotations.NullMarked;
