/** HTTP on Vert.x: blocking routes on virtual threads. */
@NullMarked
package dev.imker.server.http;

import org.jspecify.annotations.NullMarked;
