/** Login at an OpenID Connect provider: settings, protocol, accounts. */
@NullMarked
package dev.imker.server.internal.oidc;

import org.jspecify.annotations.NullMarked;
