/** How servers announce themselves in the local network, and how agents find them (mDNS). */
@NullMarked
package dev.imker.wire.lan;

import org.jspecify.annotations.NullMarked;
