/** The server: scheduler loop, gateway for agents, REST, authentication. */
@NullMarked
package dev.imker.server;

import org.jspecify.annotations.NullMarked;
