/** Commands for users, tokens, settings and other administration. */
@NullMarked
package dev.imker.cli.admin;

import org.jspecify.annotations.NullMarked;
