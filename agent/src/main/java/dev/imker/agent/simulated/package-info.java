/** The agent's handling of leases and reports without threads and processes, for simulations. */
@NullMarked
package dev.imker.agent.simulated;

import org.jspecify.annotations.NullMarked;
