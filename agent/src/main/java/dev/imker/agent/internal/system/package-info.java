/** Operating system calls: libc, /proc, control groups, this process itself. */
@NullMarked
package dev.imker.agent.internal.system;

import org.jspecify.annotations.NullMarked;
