/** Rows, batches, codes and connections: the representation of values in the database. */
@NullMarked
package dev.imker.store.internal.rows;

import org.jspecify.annotations.NullMarked;
