/** The location of a drop folder: its content, and how results are written. */
@NullMarked
package dev.imker.server.internal.drop.place;

import org.jspecify.annotations.NullMarked;
