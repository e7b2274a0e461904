/** Communication with the server over HTTP. */
@NullMarked
package dev.imker.client.internal.http;

import org.jspecify.annotations.NullMarked;
