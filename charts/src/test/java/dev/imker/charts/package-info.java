@NullMarked
package dev.imker.charts;

import org.jspecify.annotations.NullMarked;
