/** Messages, frames, flow control and sessions between server and agents. */
@NullMarked
package dev.imker.wire;

import org.jspecify.annotations.NullMarked;
