/** Commands that run a server and maintain its data: start, back up, restore, migrate. */
@NullMarked
package dev.imker.cli.server;

import org.jspecify.annotations.NullMarked;
