/** The fields of a job file: one table for parser, schema, form and writer. */
@NullMarked
package dev.imker.jobfile.internal.form;

import org.jspecify.annotations.NullMarked;
