/** A submitted job: stages, inputs, rules, requirements. */
@NullMarked
package dev.imker.model.job;

import org.jspecify.annotations.NullMarked;
