/** Code and values on their way to the pool. */
@NullMarked
package dev.imker.client.internal.shipping;

import org.jspecify.annotations.NullMarked;
