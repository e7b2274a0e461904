@NullMarked
package dev.imker.agent.internal.neighbour;

import org.jspecify.annotations.NullMarked;
