/** Failures of tasks: groups of similar failures, and what failed tasks have in common. */
@NullMarked
package dev.imker.server.internal.rest.failures;

import org.jspecify.annotations.NullMarked;
