/** Planned jobs, in the pool and local. */
@NullMarked
package dev.imker.client.internal.plan;

import org.jspecify.annotations.NullMarked;
