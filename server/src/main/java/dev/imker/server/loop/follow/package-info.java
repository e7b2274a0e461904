/** Following a pool that another server leads, so that it can be taken over at once. */
@NullMarked
package dev.imker.server.loop.follow;

import org.jspecify.annotations.NullMarked;
