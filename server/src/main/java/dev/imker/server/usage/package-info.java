/** What tasks and machines used over time, as their agents say. */
@NullMarked
package dev.imker.server.usage;

import org.jspecify.annotations.NullMarked;
