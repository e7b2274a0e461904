/** The durable state of a pool: the store's contract, its records and queries. */
@NullMarked
package dev.imker.store;

import org.jspecify.annotations.NullMarked;
