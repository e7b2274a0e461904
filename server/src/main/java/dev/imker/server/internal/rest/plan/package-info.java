/** Executing plans, and replanning when an action fails permanently. */
@NullMarked
package dev.imker.server.internal.rest.plan;

import org.jspecify.annotations.NullMarked;
