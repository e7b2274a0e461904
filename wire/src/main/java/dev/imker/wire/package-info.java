/** Sessions between agent and server: messages, flow control, liveness. */
@NullMarked
package dev.imker.wire;

import org.jspecify.annotations.NullMarked;
