/** Contenders of the wire benchmark. */
@NullMarked
package dev.imker.bench.wire;

import org.jspecify.annotations.NullMarked;
