/** Login at an OpenID Connect provider: settings, its protocol, and whose account it opens. */
@NullMarked
package dev.imker.server.internal.oidc;

import org.jspecify.annotations.NullMarked;
