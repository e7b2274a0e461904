/** Starting an agent; examining a machine that is to be one. */
@NullMarked
package dev.imker.agent.start;

import org.jspecify.annotations.NullMarked;
