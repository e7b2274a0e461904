/** Starting, watching and killing the processes of tasks. */
@NullMarked
package dev.imker.agent.internal.process;

import org.jspecify.annotations.NullMarked;
