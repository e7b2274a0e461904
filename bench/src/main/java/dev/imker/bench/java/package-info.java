/** Frameworks that execute Java calls on other machines, side by side. */
@NullMarked
package dev.imker.bench.java;

import org.jspecify.annotations.NullMarked;
