/** Sending code and values to the pool. */
@NullMarked
package dev.imker.client.internal.shipping;

import org.jspecify.annotations.NullMarked;
