/** Settings that an admin can change at run time. */
@NullMarked
package dev.imker.server.internal.settings;

import org.jspecify.annotations.NullMarked;
