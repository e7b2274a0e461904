/** What a pool has recorded of its machines and work. */
@NullMarked
package dev.imker.server.history;

import org.jspecify.annotations.NullMarked;
