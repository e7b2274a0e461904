/** Tables, plots and JSON of simulated runs. */
@NullMarked
package dev.imker.sim.report;

import org.jspecify.annotations.NullMarked;
