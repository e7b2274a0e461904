/** The input and output of the scheduler: jobs, agents, terms, changes. */
@NullMarked
package dev.imker.core.message;

import org.jspecify.annotations.NullMarked;
