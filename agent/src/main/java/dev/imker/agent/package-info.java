/** What there is to say about an agent from outside: settings, state, control. */
@NullMarked
package dev.imker.agent;

import org.jspecify.annotations.NullMarked;
