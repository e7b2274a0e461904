/** Routes of nodes. */
@NullMarked
package dev.imker.server.rest.nodes;

import org.jspecify.annotations.NullMarked;
