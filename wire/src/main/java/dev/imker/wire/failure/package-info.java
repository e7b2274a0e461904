/** Exceptions of sending messages. */
@NullMarked
package dev.imker.wire.failure;

import org.jspecify.annotations.NullMarked;
