/** Copies of a whole pool: database, files and secrets together. */
@NullMarked
package dev.imker.server.backup;

import org.jspecify.annotations.NullMarked;
