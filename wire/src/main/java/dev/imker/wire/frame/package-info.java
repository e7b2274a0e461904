/** The binary format of frames. */
@NullMarked
package dev.imker.wire.frame;

import org.jspecify.annotations.NullMarked;
