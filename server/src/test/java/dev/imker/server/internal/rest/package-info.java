@NullMarked
package dev.imker.server.internal.rest;

import org.jspecify.annotations.NullMarked;
