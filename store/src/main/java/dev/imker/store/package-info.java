/** Persistence of the pool: relational store and content-addressed blobs. */
@NullMarked
package dev.imker.store;

import org.jspecify.annotations.NullMarked;
