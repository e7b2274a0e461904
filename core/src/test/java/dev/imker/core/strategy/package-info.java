@NullMarked
package dev.imker.core.strategy;

import org.jspecify.annotations.NullMarked;
