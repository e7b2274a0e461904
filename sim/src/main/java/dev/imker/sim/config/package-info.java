/** The simulated pool: machines, work, absences, failures. */
@NullMarked
package dev.imker.sim.config;

import org.jspecify.annotations.NullMarked;
