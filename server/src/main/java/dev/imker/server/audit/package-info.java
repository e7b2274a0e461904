/** The record of who did what. */
@NullMarked
package dev.imker.server.audit;

import org.jspecify.annotations.NullMarked;
