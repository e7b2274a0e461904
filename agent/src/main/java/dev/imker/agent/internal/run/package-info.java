/** Leases on their way through the agent: queued, prepared, run, reported. */
@NullMarked
package dev.imker.agent.internal.run;

import org.jspecify.annotations.NullMarked;
