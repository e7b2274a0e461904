/** What can go wrong when a message is sent. */
@NullMarked
package dev.imker.wire.failure;

import org.jspecify.annotations.NullMarked;
