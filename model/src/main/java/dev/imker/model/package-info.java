/** Ids, states and other values of the domain. */
@NullMarked
package dev.imker.model;

import org.jspecify.annotations.NullMarked;
