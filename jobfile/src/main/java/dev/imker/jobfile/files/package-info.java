/** Files that a job file names: folders, patterns, tables, data sets. */
@NullMarked
package dev.imker.jobfile.files;

import org.jspecify.annotations.NullMarked;
