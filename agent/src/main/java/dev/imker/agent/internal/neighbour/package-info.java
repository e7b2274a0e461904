/** Noticing the owner of the machine and making room. */
@NullMarked
package dev.imker.agent.internal.neighbour;

import org.jspecify.annotations.NullMarked;
