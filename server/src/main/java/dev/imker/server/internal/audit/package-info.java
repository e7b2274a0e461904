/** The record of who did what. */
@NullMarked
package dev.imker.server.internal.audit;

import org.jspecify.annotations.NullMarked;
