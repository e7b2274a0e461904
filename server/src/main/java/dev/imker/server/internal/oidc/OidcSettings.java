package dev.imker.server.internal.oidc;

import dev.imker.model.account.AccountRole;
import dev.imker.server.internal.settings.PoolSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How people log in at a provider of OpenID Connect.
 *
 * @param secret empty for a client that has none
 * @param groups whose members have which role, the strongest role first
 * @param lasts how long a login is good for
 */
public record OidcSettings(
    String issuer,
    String client,
    String secret,
    String title,
    String scopes,
    String userClaim,
    String groupsClaim,
    Map<AccountRole, Set<String>> groups,
    Duration lasts) {
  private static final String EVERYBODY = "*";

  /** As they are now; empty unless issuer and client are set. */
  public static Optional<OidcSettings> of(PoolSettings settings) {
    String issuer = settings.get("oidc.issuer", "");
    String client = settings.get("oidc.client-id", "");
    if (issuer.isEmpty() || client.isEmpty()) {
      return Optional.empty();
    }
    Map<AccountRole, Set<String>> groups = new LinkedHashMap<>();
    groups.put(AccountRole.ADMIN, words(settings.get("oidc.admins", "")));
    groups.put(AccountRole.USER, words(settings.get("oidc.users", "")));
    groups.put(AccountRole.VIEWER, words(settings.get("oidc.viewers", "")));
    return Optional.of(
        new OidcSettings(
            issuer,
            client,
            settings.get("oidc.client-secret", ""),
            settings.get("oidc.title", "single sign-on"),
            settings.get("oidc.scopes", "openid profile"),
            settings.get("oidc.user-claim", "preferred_username"),
            settings.get("oidc.groups-claim", "groups"),
            groups,
            Duration.ofHours(Long.parseLong(settings.get("oidc.login-hours", "24")))));
  }

  private static Set<String> words(String list) {
    return Arrays.stream(list.split(",", -1))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .collect(Collectors.toSet());
  }

  /** The strongest role that one of somebody's groups gives. */
  Optional<AccountRole> role(Set<String> member) {
    return groups.entrySet().stream()
        .filter(
            entry ->
                entry.getValue().contains(EVERYBODY)
                    || entry.getValue().stream().anyMatch(member::contains))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Without the secret, which belongs into no log. */
  @Override
  public String toString() {
    return client + " at " + issuer;
  }
}
