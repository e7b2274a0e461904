/** Benchmarks next to competitors; not shipped. */
@NullMarked
package dev.imker.bench;

import org.jspecify.annotations.NullMarked;
