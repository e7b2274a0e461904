/** Following a pool led by another server, in order to take it over quickly. */
@NullMarked
package dev.imker.server.loop.follow;

import org.jspecify.annotations.NullMarked;
