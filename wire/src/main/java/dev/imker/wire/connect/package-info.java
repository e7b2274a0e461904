/** Establishing sessions: accepting, reconnecting, proving one's identity. */
@NullMarked
package dev.imker.wire.connect;

import org.jspecify.annotations.NullMarked;
