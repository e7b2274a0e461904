/** Results as spreadsheet, CSV, JSON, pictures and a page of HTML. */
@NullMarked
package dev.imker.charts.report;

import org.jspecify.annotations.NullMarked;
