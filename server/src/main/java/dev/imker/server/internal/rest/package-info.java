/** The REST interface as a whole: which routes there are and their description. */
@NullMarked
package dev.imker.server.internal.rest;

import org.jspecify.annotations.NullMarked;
