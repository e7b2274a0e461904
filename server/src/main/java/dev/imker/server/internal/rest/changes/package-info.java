/** Subscriptions to changes of the pool and to outcomes of tasks. */
@NullMarked
package dev.imker.server.internal.rest.changes;

import org.jspecify.annotations.NullMarked;
