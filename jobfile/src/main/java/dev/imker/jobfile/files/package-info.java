/** Files to which a job file refers: folders, patterns, tables, data sets. */
@NullMarked
package dev.imker.jobfile.files;

import org.jspecify.annotations.NullMarked;
