/** Bounded memory of recent things. */
@NullMarked
package dev.imker.model.recent;

import org.jspecify.annotations.NullMarked;
