/** Routes of nodes. */
@NullMarked
package dev.imker.server.internal.rest.nodes;

import org.jspecify.annotations.NullMarked;
