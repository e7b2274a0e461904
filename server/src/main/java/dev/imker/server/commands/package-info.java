/** Commands to the scheduler's loop on behalf of users: submit, change, remove. */
@NullMarked
package dev.imker.server.commands;

import org.jspecify.annotations.NullMarked;
