/** Stand-ins for the annotations of users' task libraries. */
@NullMarked
package dev.imker.tasks;

import org.jspecify.annotations.NullMarked;
