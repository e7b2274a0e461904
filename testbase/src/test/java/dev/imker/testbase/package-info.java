/** How long tests wait. */
@NullMarked
package dev.imker.testbase;

import org.jspecify.annotations.NullMarked;
