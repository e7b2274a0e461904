/** Which pool is meant and how it is reached: options, environment, the file in the user's home. */
@NullMarked
package dev.imker.client.context;

import org.jspecify.annotations.NullMarked;
