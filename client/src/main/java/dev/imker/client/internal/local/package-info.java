/** Executing calls in this process. */
@NullMarked
package dev.imker.client.internal.local;

import org.jspecify.annotations.NullMarked;
