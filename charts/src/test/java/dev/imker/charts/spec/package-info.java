@NullMarked
package dev.imker.charts.spec;

import org.jspecify.annotations.NullMarked;
