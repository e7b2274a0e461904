/** The embedded store: SQLite in the pool's folder. */
@NullMarked
package dev.imker.store.sqlite;

import org.jspecify.annotations.NullMarked;
