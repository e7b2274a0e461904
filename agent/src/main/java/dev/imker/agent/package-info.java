/** The public interface of an agent: settings, state, control. */
@NullMarked
package dev.imker.agent;

import org.jspecify.annotations.NullMarked;
