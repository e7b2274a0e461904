/** The server's own software, offered to agents. */
@NullMarked
package dev.imker.server.update;

import org.jspecify.annotations.NullMarked;
