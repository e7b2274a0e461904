/** Leadership among servers. */
@NullMarked
package dev.imker.coord;

import org.jspecify.annotations.NullMarked;
