/** The REST interface: its resources and their views. */
@NullMarked
package dev.imker.server.rest;

import org.jspecify.annotations.NullMarked;
