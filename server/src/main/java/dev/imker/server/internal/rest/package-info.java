/** The REST interface as a whole: its routes and their description. */
@NullMarked
package dev.imker.server.internal.rest;

import org.jspecify.annotations.NullMarked;
