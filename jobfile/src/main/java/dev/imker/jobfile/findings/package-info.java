/** What is wrong with a job file, and where. */
@NullMarked
package dev.imker.jobfile.findings;

import org.jspecify.annotations.NullMarked;
