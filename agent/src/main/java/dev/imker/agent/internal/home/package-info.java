/** A task's way to its agent: local socket, access, blackboard. */
@NullMarked
package dev.imker.agent.internal.home;

import org.jspecify.annotations.NullMarked;
