/** A lease the agent holds and the run it stands for. */
@NullMarked
package dev.imker.agent.internal.lease;

import org.jspecify.annotations.NullMarked;
