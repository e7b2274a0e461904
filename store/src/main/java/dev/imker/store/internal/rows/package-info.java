/** Rows, batches, codes and connections: how values stand in the database. */
@NullMarked
package dev.imker.store.internal.rows;

import org.jspecify.annotations.NullMarked;
