/** Planning with actions described by data, or by annotations in class files. */
@NullMarked
package dev.imker.planner.actions;

import org.jspecify.annotations.NullMarked;
