/** The processes, disks, clocks and the network of a pool, and what can be done to them. */
@NullMarked
package dev.imker.chaos.cluster;

import org.jspecify.annotations.NullMarked;
