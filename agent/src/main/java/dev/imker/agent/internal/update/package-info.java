/** Bringing the server's version of the software here. */
@NullMarked
package dev.imker.agent.internal.update;

import org.jspecify.annotations.NullMarked;
