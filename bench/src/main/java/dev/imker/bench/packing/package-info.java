/** Mixed tasks on mixed machines in virtual time, compared with a bound. */
@NullMarked
package dev.imker.bench.packing;

import org.jspecify.annotations.NullMarked;
