/** The scheduler: one thread owns its state; events go in, changes and messages come out. */
@NullMarked
package dev.imker.core;

import org.jspecify.annotations.NullMarked;
