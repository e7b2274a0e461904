/** Jobs as wholes: coming, going, orders for ranges, ways to fail. */
@NullMarked
package dev.imker.core.internal.jobs;

import org.jspecify.annotations.NullMarked;
