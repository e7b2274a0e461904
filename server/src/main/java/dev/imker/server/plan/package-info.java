/** Plans as jobs: one stage for each action, bound to a command. */
@NullMarked
package dev.imker.server.plan;

import org.jspecify.annotations.NullMarked;
