/**
 * Figures of the tasks of large jobs in columns, for sorting them without reading their rows: in
 * memory while a job is open, in a small file next to the database after it has settled.
 */
@NullMarked
package dev.imker.server.internal.columns;

import org.jspecify.annotations.NullMarked;
