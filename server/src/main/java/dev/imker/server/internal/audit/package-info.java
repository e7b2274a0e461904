/** The audit log. */
@NullMarked
package dev.imker.server.internal.audit;

import org.jspecify.annotations.NullMarked;
