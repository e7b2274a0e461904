/** What a job must be like to be accepted: one set of rules for every way into the pool. */
@NullMarked
package dev.imker.model.validation;

import org.jspecify.annotations.NullMarked;
