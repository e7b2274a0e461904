/** Why tasks of a job failed: alike ones together, and what they have that others have not. */
@NullMarked
package dev.imker.server.internal.rest.failures;

import org.jspecify.annotations.NullMarked;
