package dev.imker.server.internal.oidc;

import java.util.Set;

/**
 * Somebody, as a provider vouches for.
 *
 * @param subject the provider's own word for them, which never becomes somebody else's
 */
public record OidcPerson(String issuer, String subject, String name, Set<String> groups) {}
