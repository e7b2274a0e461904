/** Authentication: tokens, login, roles. */
@NullMarked
package dev.imker.server.internal.auth;

import org.jspecify.annotations.NullMarked;
