/** Reports as workbook, CSV, JSON, pictures and HTML page. */
@NullMarked
package dev.imker.charts.report;

import org.jspecify.annotations.NullMarked;
