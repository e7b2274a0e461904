/** Communication of a task with its agent: local socket, access, blackboard. */
@NullMarked
package dev.imker.agent.internal.home;

import org.jspecify.annotations.NullMarked;
