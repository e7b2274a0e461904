/** How to reach and trust a server. */
@NullMarked
package dev.imker.model.connection;

import org.jspecify.annotations.NullMarked;
