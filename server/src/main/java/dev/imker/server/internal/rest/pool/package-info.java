/** Routes of the pool as a whole: settings, strategy, retention, history, servers. */
@NullMarked
package dev.imker.server.internal.rest.pool;

import org.jspecify.annotations.NullMarked;
