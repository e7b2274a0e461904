/** What goes into the scheduler and what comes out: jobs, agents, terms, changes. */
@NullMarked
package dev.imker.core.message;

import org.jspecify.annotations.NullMarked;
