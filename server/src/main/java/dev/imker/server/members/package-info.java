/** The servers of one pool: what they share, their identity, leadership. */
@NullMarked
package dev.imker.server.members;

import org.jspecify.annotations.NullMarked;
