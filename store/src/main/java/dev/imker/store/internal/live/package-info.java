/** The rows of the live state in memory, and which of them were touched. */
@NullMarked
package dev.imker.store.internal.live;

import org.jspecify.annotations.NullMarked;
