/** How a session comes about: accepting, connecting again, proving who one is. */
@NullMarked
package dev.imker.wire.connect;

import org.jspecify.annotations.NullMarked;
