/** The {@code sim} command and the simulator of the web page. */
@NullMarked
package dev.imker.cli.simulation;

import org.jspecify.annotations.NullMarked;
