/** Starting an agent, and examining a machine before that. */
@NullMarked
package dev.imker.agent.start;

import org.jspecify.annotations.NullMarked;
