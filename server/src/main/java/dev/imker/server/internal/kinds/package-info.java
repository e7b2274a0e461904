/** Kinds of jobs added to a server. */
@NullMarked
package dev.imker.server.internal.kinds;

import org.jspecify.annotations.NullMarked;
