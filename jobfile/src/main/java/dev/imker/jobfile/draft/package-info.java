/** A job as read, before its files are in the pool. */
@NullMarked
package dev.imker.jobfile.draft;

import org.jspecify.annotations.NullMarked;
