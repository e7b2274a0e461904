/** Detecting the owner's activity and making room. */
@NullMarked
package dev.imker.agent.internal.neighbour;

import org.jspecify.annotations.NullMarked;
