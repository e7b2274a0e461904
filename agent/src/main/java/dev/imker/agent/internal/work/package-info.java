/** The private folders of tasks: placing inputs, collecting results. */
@NullMarked
package dev.imker.agent.internal.work;

import org.jspecify.annotations.NullMarked;
