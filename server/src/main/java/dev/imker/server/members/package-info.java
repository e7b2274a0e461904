/** The servers of one pool: what they share, who they are, who leads. */
@NullMarked
package dev.imker.server.members;

import org.jspecify.annotations.NullMarked;
