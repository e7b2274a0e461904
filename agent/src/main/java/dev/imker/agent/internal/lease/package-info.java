/** A lease held by the agent, and its run. */
@NullMarked
package dev.imker.agent.internal.lease;

import org.jspecify.annotations.NullMarked;
