/** Connections to agents. */
@NullMarked
package dev.imker.server.gateway;

import org.jspecify.annotations.NullMarked;
