/** The location and release of Imker's own code. */
@NullMarked
package dev.imker.model.code;

import org.jspecify.annotations.NullMarked;
