/** Fetching the server's version of the software. */
@NullMarked
package dev.imker.agent.internal.update;

import org.jspecify.annotations.NullMarked;
