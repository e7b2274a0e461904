/** Content-addressed files: in a folder, in PostgreSQL, in an object store. */
@NullMarked
package dev.imker.store.blobs;

import org.jspecify.annotations.NullMarked;
