@NullMarked
package dev.imker.server.rest;

import org.jspecify.annotations.NullMarked;
