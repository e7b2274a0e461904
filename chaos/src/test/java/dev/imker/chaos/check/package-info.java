@NullMarked
package dev.imker.chaos.check;

import org.jspecify.annotations.NullMarked;
