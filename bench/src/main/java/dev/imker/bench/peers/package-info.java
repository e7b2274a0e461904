/** The same work on Imker and on its alternatives. */
@NullMarked
package dev.imker.bench.peers;

import org.jspecify.annotations.NullMarked;
