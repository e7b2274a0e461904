/** Sweeps over parameters: from text to values. */
@NullMarked
package dev.imker.model.sweep;

import org.jspecify.annotations.NullMarked;
