/** How a machine with only a short code obtains a join token. */
@NullMarked
package dev.imker.wire.pairing;

import org.jspecify.annotations.NullMarked;
