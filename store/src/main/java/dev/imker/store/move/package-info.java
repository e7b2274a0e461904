/** Copying a whole pool: migration between databases, snapshots. */
@NullMarked
package dev.imker.store.move;

import org.jspecify.annotations.NullMarked;
