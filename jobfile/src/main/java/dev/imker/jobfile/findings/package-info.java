/** Mistakes in a job file and their positions. */
@NullMarked
package dev.imker.jobfile.findings;

import org.jspecify.annotations.NullMarked;
