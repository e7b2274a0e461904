/** Text and paths from outside, made safe; names that are near another. */
@NullMarked
package dev.imker.model.text;

import org.jspecify.annotations.NullMarked;
