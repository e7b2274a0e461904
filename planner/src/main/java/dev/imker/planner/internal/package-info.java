/** How plans are found; nothing in here is meant for other modules. */
@NullMarked
package dev.imker.planner.internal;

import org.jspecify.annotations.NullMarked;
