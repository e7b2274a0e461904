/** How a machine that has only a short code gets a join token. */
@NullMarked
package dev.imker.wire.pairing;

import org.jspecify.annotations.NullMarked;
