/** What the owners of agents declared, stored for standbys. */
@NullMarked
package dev.imker.server.live.standing;

import org.jspecify.annotations.NullMarked;
