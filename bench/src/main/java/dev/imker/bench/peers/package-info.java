/** The same work on Imker and on what people would take instead. */
@NullMarked
package dev.imker.bench.peers;

import org.jspecify.annotations.NullMarked;
