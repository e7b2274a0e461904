/** Routes of users, their tokens and sessions, and of join tokens. */
@NullMarked
package dev.imker.server.internal.rest.users;

import org.jspecify.annotations.NullMarked;
