/** Java tasks in processes of their own, each for the tasks of one user and library. */
@NullMarked
package dev.imker.agent.internal.host;

import org.jspecify.annotations.NullMarked;
