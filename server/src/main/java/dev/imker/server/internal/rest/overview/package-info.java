/** Routes of the overview page: events, figures, what needs attention. */
@NullMarked
package dev.imker.server.internal.rest.overview;

import org.jspecify.annotations.NullMarked;
