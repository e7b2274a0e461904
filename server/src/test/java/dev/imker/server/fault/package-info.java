/** The server's loop over real databases to which something happens at every step. */
@NullMarked
package dev.imker.server.fault;

import org.jspecify.annotations.NullMarked;
