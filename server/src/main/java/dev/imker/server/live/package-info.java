/** The server's live state besides the scheduler: jobs, keys, terms, profiles, orders. */
@NullMarked
package dev.imker.server.live;

import org.jspecify.annotations.NullMarked;
