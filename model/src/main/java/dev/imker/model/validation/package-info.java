/** The rules for accepting a job, the same for every way of submitting it. */
@NullMarked
package dev.imker.model.validation;

import org.jspecify.annotations.NullMarked;
