/** Building stages from the fields of a form: sweeps, predecessors, inputs. */
@NullMarked
package dev.imker.jobfile.internal.stage;

import org.jspecify.annotations.NullMarked;
