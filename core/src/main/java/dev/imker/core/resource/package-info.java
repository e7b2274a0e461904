/** Amounts: what machines and the pool have, what tasks need, and what they were given. */
@NullMarked
package dev.imker.core.resource;

import org.jspecify.annotations.NullMarked;
