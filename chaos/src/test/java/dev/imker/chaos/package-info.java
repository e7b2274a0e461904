@NullMarked
package dev.imker.chaos;

import org.jspecify.annotations.NullMarked;
