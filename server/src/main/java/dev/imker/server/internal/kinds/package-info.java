/** Kinds of jobs that were added to a server. */
@NullMarked
package dev.imker.server.internal.kinds;

import org.jspecify.annotations.NullMarked;
