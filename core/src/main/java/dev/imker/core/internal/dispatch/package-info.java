/** Handing out tasks: one by one, as copies, in gangs. */
@NullMarked
package dev.imker.core.internal.dispatch;

import org.jspecify.annotations.NullMarked;
