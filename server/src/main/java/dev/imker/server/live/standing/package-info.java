/** What is kept of agents that are connected, for servers that follow. */
@NullMarked
package dev.imker.server.live.standing;

import org.jspecify.annotations.NullMarked;
