@NullMarked
package dev.imker.chaos.simulated;

import org.jspecify.annotations.NullMarked;
