/** An analysis as independent units of work and their merge. */
@NullMarked
package dev.imker.charts.study;

import org.jspecify.annotations.NullMarked;
