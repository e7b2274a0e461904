/** The {@code chart} commands. */
@NullMarked
package dev.imker.cli.charts;

import org.jspecify.annotations.NullMarked;
