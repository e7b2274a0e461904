/** The YAML file of an analysis, with errors that name line, column and remedy. */
@NullMarked
package dev.imker.charts.spec;

import org.jspecify.annotations.NullMarked;
