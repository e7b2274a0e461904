/** How well tasks of mixed sizes are packed onto machines. */
@NullMarked
package dev.imker.bench.packing;

import org.jspecify.annotations.NullMarked;
