@NullMarked
package dev.imker.charts.code;

import org.jspecify.annotations.NullMarked;
