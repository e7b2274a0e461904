/**
 * The changes that the store writes: every change of the pool's durable state is one of these
 * records.
 */
@NullMarked
package dev.imker.model.change;

import org.jspecify.annotations.NullMarked;
