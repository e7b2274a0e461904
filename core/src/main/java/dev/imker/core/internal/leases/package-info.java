/** Attempts: how leases begin, run into limits, get lost and end. */
@NullMarked
package dev.imker.core.internal.leases;

import org.jspecify.annotations.NullMarked;
