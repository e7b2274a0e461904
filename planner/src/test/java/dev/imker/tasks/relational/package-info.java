/** Stand-ins for the textual annotations of users' task libraries. */
@NullMarked
package dev.imker.tasks.relational;

import org.jspecify.annotations.NullMarked;
