/** Tests. */
@NullMarked
package dev.imker.planner;

import org.jspecify.annotations.NullMarked;
