/** How long tests wait. */
@NullMarked
package dev.imker.patience;

import org.jspecify.annotations.NullMarked;
