/** Reading requests and writing answers, for all routes. */
@NullMarked
package dev.imker.server.internal.rest.request;

import org.jspecify.annotations.NullMarked;
