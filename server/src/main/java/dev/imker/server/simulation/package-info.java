/** What the server asks of a simulator, which is not part of it. */
@NullMarked
package dev.imker.server.simulation;

import org.jspecify.annotations.NullMarked;
