/** Carries out plans, and looks for others when an action fails for good. */
@NullMarked
package dev.imker.server.internal.rest.plan;

import org.jspecify.annotations.NullMarked;
