/** The YAML file of an analysis, read with errors that tell line, column and remedy. */
@NullMarked
package dev.imker.charts.spec;

import org.jspecify.annotations.NullMarked;
