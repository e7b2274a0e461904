/** Comparing the memory of a server with its database. */
@NullMarked
package dev.imker.server.check;

import org.jspecify.annotations.NullMarked;
