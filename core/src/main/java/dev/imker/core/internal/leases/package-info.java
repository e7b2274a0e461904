/** Attempts: how leases begin, exceed limits, get lost and end. */
@NullMarked
package dev.imker.core.internal.leases;

import org.jspecify.annotations.NullMarked;
