/** Resource usage of tasks and machines over time, as reported by agents. */
@NullMarked
package dev.imker.server.usage;

import org.jspecify.annotations.NullMarked;
