/** Blobs on the agent: the cache of the machine, uploads and downloads. */
@NullMarked
package dev.imker.agent.internal.cache;

import org.jspecify.annotations.NullMarked;
