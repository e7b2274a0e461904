/** The pool from Java. */
@NullMarked
package dev.imker.client;

import org.jspecify.annotations.NullMarked;
