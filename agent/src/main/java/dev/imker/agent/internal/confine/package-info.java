/** Confining tasks: what they see of the machine, and what they may use of it. */
@NullMarked
package dev.imker.agent.internal.confine;

import org.jspecify.annotations.NullMarked;
