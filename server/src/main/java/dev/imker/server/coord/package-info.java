/** Coordination of running tasks. */
@NullMarked
package dev.imker.server.coord;

import org.jspecify.annotations.NullMarked;
