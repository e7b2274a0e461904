/** Routes of tasks: list, show, output. */
@NullMarked
package dev.imker.server.internal.rest.tasks;

import org.jspecify.annotations.NullMarked;
