/** The processes, disks, clocks and network of a pool, and faults for them. */
@NullMarked
package dev.imker.chaos.cluster;

import org.jspecify.annotations.NullMarked;
