/** The server's own certificate. */
@NullMarked
package dev.imker.server.tls;

import org.jspecify.annotations.NullMarked;
