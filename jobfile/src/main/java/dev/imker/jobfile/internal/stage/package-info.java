/** Stages made of the filled form: sweeps, predecessors, inputs. */
@NullMarked
package dev.imker.jobfile.internal.stage;

import org.jspecify.annotations.NullMarked;
