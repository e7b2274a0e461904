/** What running tasks share, in memory: on the loop's thread, changed by records of changes. */
@NullMarked
package dev.imker.server.live.shared;

import org.jspecify.annotations.NullMarked;
