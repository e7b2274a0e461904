/** Running a task: preparation, start, watch, end. */
@NullMarked
package dev.imker.agent.internal.run;

import org.jspecify.annotations.NullMarked;
