/** A drop folder as a place: what lies in it, how results get there. */
@NullMarked
package dev.imker.server.internal.drop.place;

import org.jspecify.annotations.NullMarked;
