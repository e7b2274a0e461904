/** How tasks of a job went: when and where attempts ran, and what they measured. */
@NullMarked
package dev.imker.server.internal.rest.runs;

import org.jspecify.annotations.NullMarked;
