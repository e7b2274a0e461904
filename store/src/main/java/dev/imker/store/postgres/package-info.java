/** The shared store: PostgreSQL. */
@NullMarked
package dev.imker.store.postgres;

import org.jspecify.annotations.NullMarked;
