/**
 * Figures of the tasks of large jobs in columns, so that they are sorted without reading their
 * rows: in memory while a job is open, in a small file beside the database once it has settled.
 */
@NullMarked
package dev.imker.server.internal.columns;

import org.jspecify.annotations.NullMarked;
