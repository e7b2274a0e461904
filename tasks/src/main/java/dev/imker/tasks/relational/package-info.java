/** The annotations of actions in the textual, relational form. */
@NullMarked
package dev.imker.tasks.relational;

import org.jspecify.annotations.NullMarked;
