/** Communication of the command line with a server: addresses, tokens, REST calls, live events. */
@NullMarked
package dev.imker.cli.api;

import org.jspecify.annotations.NullMarked;
