/** Jobs with results as files that another pool can take in. */
@NullMarked
package dev.imker.server.internal.archive;

import org.jspecify.annotations.NullMarked;
