@NullMarked
package dev.imker.sim;

import org.jspecify.annotations.NullMarked;
