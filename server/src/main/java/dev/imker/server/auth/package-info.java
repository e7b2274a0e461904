/** Who is calling: tokens, login, roles. */
@NullMarked
package dev.imker.server.auth;

import org.jspecify.annotations.NullMarked;
