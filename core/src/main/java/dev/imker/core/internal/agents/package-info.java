/** Connected agents, their slots, and groups of agents that fit the same work. */
@NullMarked
package dev.imker.core.internal.agents;

import org.jspecify.annotations.NullMarked;
