/** Frames and the numbers in them. */
@NullMarked
package dev.imker.wire.frame;

import org.jspecify.annotations.NullMarked;
