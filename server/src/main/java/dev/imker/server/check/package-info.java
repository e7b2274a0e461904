/** Comparing what a server has in memory with what its database says. */
@NullMarked
package dev.imker.server.check;

import org.jspecify.annotations.NullMarked;
