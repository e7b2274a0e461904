/** The Java client of a pool. */
@NullMarked
package dev.imker.client;

import org.jspecify.annotations.NullMarked;
