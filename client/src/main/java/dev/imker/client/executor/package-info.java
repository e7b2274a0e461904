/** Java calls in the pool as an executor service. */
@NullMarked
package dev.imker.client.executor;

import org.jspecify.annotations.NullMarked;
