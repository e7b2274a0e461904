/** From actions with parameters to ground actions. */
@NullMarked
package dev.imker.planner.internal.ground;

import org.jspecify.annotations.NullMarked;
