/** The imker command. */
@NullMarked
package dev.imker.cli;

import org.jspecify.annotations.NullMarked;
