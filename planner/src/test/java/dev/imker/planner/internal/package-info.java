/** Tests. */
@NullMarked
package dev.imker.planner.internal;

import org.jspecify.annotations.NullMarked;
