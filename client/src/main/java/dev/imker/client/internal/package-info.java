/** How the client speaks with a pool and ships code to it. */
@NullMarked
package dev.imker.client.internal;

import org.jspecify.annotations.NullMarked;
