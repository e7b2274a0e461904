/** Notices about settled jobs, by mail and web hook, once each. */
@NullMarked
package dev.imker.server.internal.notify;

import org.jspecify.annotations.NullMarked;
