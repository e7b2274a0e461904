/** Recorded behaviour of nodes and projects, as seen by strategies. */
@NullMarked
package dev.imker.core.profile;

import org.jspecify.annotations.NullMarked;
