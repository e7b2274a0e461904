/** Tests for chance in a result. */
@NullMarked
package dev.imker.charts.luck;

import org.jspecify.annotations.NullMarked;
