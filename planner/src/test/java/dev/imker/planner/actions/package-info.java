/** Tests. */
@NullMarked
package dev.imker.planner.actions;

import org.jspecify.annotations.NullMarked;
