/** Commands that run a server and keep its data: start, back up, restore, migrate. */
@NullMarked
package dev.imker.cli.server;

import org.jspecify.annotations.NullMarked;
