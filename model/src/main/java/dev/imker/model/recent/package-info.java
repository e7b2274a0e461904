/** Memory of what was there lately, within a fixed size. */
@NullMarked
package dev.imker.model.recent;

import org.jspecify.annotations.NullMarked;
