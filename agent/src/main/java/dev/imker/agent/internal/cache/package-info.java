/** Blobs on the agent's side: the cache of the machine and the transfer from and to the server. */
@NullMarked
package dev.imker.agent.internal.cache;

import org.jspecify.annotations.NullMarked;
