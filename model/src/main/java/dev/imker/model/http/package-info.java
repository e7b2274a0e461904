/** The HTTP client of commands, Java programs and agents: requests that always end. */
@NullMarked
package dev.imker.model.http;

import org.jspecify.annotations.NullMarked;
