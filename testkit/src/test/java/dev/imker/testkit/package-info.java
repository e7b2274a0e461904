/** A whole pool inside a test: server, agents, client, and a clock that can be set. */
@NullMarked
package dev.imker.testkit;

import org.jspecify.annotations.NullMarked;
