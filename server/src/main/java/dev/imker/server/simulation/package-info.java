/** The interface to a simulator, which is not part of the server. */
@NullMarked
package dev.imker.server.simulation;

import org.jspecify.annotations.NullMarked;
