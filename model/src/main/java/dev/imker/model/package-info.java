/** Records and enums of the domain; no dependencies. */
@NullMarked
package dev.imker.model;

import org.jspecify.annotations.NullMarked;
