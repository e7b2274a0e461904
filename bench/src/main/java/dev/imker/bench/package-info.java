/** Benchmarks, side by side with peers; not shipped. */
@NullMarked
package dev.imker.bench;

import org.jspecify.annotations.NullMarked;
