/** How a server is reached and trusted. */
@NullMarked
package dev.imker.model.connection;

import org.jspecify.annotations.NullMarked;
