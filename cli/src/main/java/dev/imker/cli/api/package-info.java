/** The command line's way to a server: addresses, tokens, REST calls, live events. */
@NullMarked
package dev.imker.cli.api;

import org.jspecify.annotations.NullMarked;
