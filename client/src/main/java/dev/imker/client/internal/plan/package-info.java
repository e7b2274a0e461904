/** Executing planned jobs, in the pool and locally. */
@NullMarked
package dev.imker.client.internal.plan;

import org.jspecify.annotations.NullMarked;
