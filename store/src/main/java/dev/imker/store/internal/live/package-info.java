/** The rows of the live state in memory, as recovery tells them, and which of them were touched. */
@NullMarked
package dev.imker.store.internal.live;

import org.jspecify.annotations.NullMarked;
