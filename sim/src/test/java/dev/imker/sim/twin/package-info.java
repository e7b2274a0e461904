@NullMarked
package dev.imker.sim.twin;

import org.jspecify.annotations.NullMarked;
