/**
 * Determines the pool and how to reach it: options, environment, the file in the user's home
 * directory.
 */
@NullMarked
package dev.imker.client.context;

import org.jspecify.annotations.NullMarked;
