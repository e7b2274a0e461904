/** Runs of the tasks of a job: when and where attempts ran, and their metrics. */
@NullMarked
package dev.imker.server.internal.rest.runs;

import org.jspecify.annotations.NullMarked;
