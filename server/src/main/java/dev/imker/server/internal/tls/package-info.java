/** The server's certificate. */
@NullMarked
package dev.imker.server.internal.tls;

import org.jspecify.annotations.NullMarked;
