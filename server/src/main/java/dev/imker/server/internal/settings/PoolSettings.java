package dev.imker.server.internal.settings;

import dev.imker.model.ImkerException;
import dev.imker.model.change.SettingPut;
import dev.imker.server.internal.auth.JobSecrets;
import dev.imker.store.PoolStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Settings by name, kept in the store, each with a validated format. Secret ones are encrypted if
 * jobs' secrets can be, otherwise stored in plain text.
 */
public record PoolSettings(PoolStore store, JobSecrets secrets) {
  private static final String PREFIX = "option.";

  /** Nobody's: it owns what the pool itself keeps secret. */
  private static final String POOL = "";

  public record Known(String name, String description, String pattern, boolean secret) {}

  /** A setting that is not known, or does not look like this. */
  public static final class SettingException extends ImkerException {
    private static final long serialVersionUID = 1;
    private final String name;

    SettingException(String name, String message) {
      super(message);
      this.name = name;
    }

    public String name() {
      return name;
    }
  }

  private static final String PRINTABLE = "[^\\p{Cntrl}]{1,500}";

  public static final List<Known> ALL =
      List.of(
          new Known(
              "smtp.host",
              "mail server; if unset, no mail is sent",
              "[A-Za-z0-9.:-]{1,253}",
              false),
          new Known("smtp.port", "its port (default: 587)", "[1-9][0-9]{0,4}", false),
          new Known("smtp.tls", "starttls (default), tls or none", "starttls|tls|none", false),
          new Known("smtp.user", "account there", PRINTABLE, false),
          new Known("smtp.password", "its password", PRINTABLE, true),
          new Known("smtp.from", "sender address", "[^\\s@]+@[^\\s@]+", false),
          new Known(
              "notices.allow-private",
              "whether web hooks may go to loopback and private addresses (default: false)",
              "true|false",
              false),
          new Known(
              "notices.retry-seconds",
              "delay before the first retry of a notice; doubles each time (default: 10)",
              "[1-9][0-9]{0,4}",
              false),
          new Known(
              "agents.max-slots",
              "maximum number of slots accepted from one agent (default: 16 per core)",
              "[1-9][0-9]{0,4}",
              false),
          new Known(
              "tasks.memory",
              "memory for tasks that do not specify any; auto: as much as similar tasks"
                  + " have needed (default: none)",
              "auto|none",
              false),
          new Known(
              "queue.most-ready",
              "number of ready tasks above which the queue counts as too long (default:"
                  + " any number)",
              "[1-9][0-9]{0,8}",
              false),
          new Known(
              "queue.patience-seconds",
              "how long the limit must be exceeded before an alarm is raised (default: 60)",
              "[0-9]{1,6}",
              false),
          new Known(
              "queue.web-hook",
              "web hook called when the queue is too long, and again when it is not any more",
              "https?://[^\\s]{1,300}",
              false),
          new Known(
              "http.requests-per-second",
              "sustained request rate per account; bursts of ten seconds' worth are"
                  + " allowed (default: 1000)",
              "[1-9][0-9]{0,5}",
              false),
          new Known(
              "disk.reserve-mb",
              "no new work is accepted with less free space than this on the server's"
                  + " disk, in MB (default: 256, at most 5 % of the disk)",
              "[0-9]{1,12}",
              false),
          new Known(
              "oidc.issuer",
              "OpenID Connect issuer, exactly as the provider names itself",
              "https://[^\\s?#]{1,300}|http://(localhost|127\\.0\\.0\\.1)(:[0-9]+)?(/[^\\s?#]*)?",
              false),
          new Known("oidc.client-id", "client id of this pool at the provider", PRINTABLE, false),
          new Known("oidc.client-secret", "client secret at the provider, if any", PRINTABLE, true),
          new Known("oidc.title", "name on the login button", PRINTABLE, false),
          new Known(
              "oidc.scopes",
              "scopes to request (default: openid profile)",
              "openid( [!-~]+)*",
              false),
          new Known(
              "oidc.user-claim",
              "claim with the user name (default: preferred_username); anything after an"
                  + " @ is dropped",
              "[!-~]{1,100}",
              false),
          new Known(
              "oidc.groups-claim",
              "claim with the groups (default: groups)",
              "[!-~]{1,100}",
              false),
          new Known(
              "oidc.admins",
              "groups whose members are admins, comma-separated",
              "[^\\p{Cntrl}*]{1,500}",
              false),
          new Known(
              "oidc.users", "groups whose members are users; * for everybody", PRINTABLE, false),
          new Known(
              "oidc.viewers",
              "groups whose members are viewers; * for everybody",
              PRINTABLE,
              false),
          new Known(
              "oidc.login-hours",
              "how long a login is valid (default: 24)",
              "[1-9][0-9]{0,3}",
              false),
          new Known(
              "server.url",
              "address of this server in notices and for OpenID Connect logins",
              "https?://[^\\s]{1,300}",
              false));

  public Optional<String> get(String name) {
    Optional<String> plain = store.setting(PREFIX + name).filter(value -> !value.isEmpty());
    return plain.isEmpty() && isSecret(name) ? secrets.find(POOL, name) : plain;
  }

  public String get(String name, String fallback) {
    return get(name).orElse(fallback);
  }

  /** Those that are set; of secrets only that they are. */
  public Map<String, String> shown() {
    Map<String, String> shown = new TreeMap<>();
    for (Known known : ALL) {
      get(known.name).ifPresent(value -> shown.put(known.name, known.secret ? "(set)" : value));
    }
    return shown;
  }

  public static Map<String, String> descriptions() {
    Map<String, String> all = new LinkedHashMap<>();
    ALL.forEach(known -> all.put(known.name, known.description));
    return all;
  }

  /** Changes settings, all or none; an empty value unsets. */
  public void put(Map<String, String> values) {
    values.forEach(PoolSettings::check);
    values.forEach(
        (name, value) -> {
          if (isSecret(name)) {
            SettingPut sealed =
                value.isEmpty() || !secrets.canKeep()
                    ? JobSecrets.remove(POOL, name)
                    : secrets.put(POOL, name, value, System.currentTimeMillis());
            store.putSetting(sealed.key(), sealed.value());
            store.putSetting(PREFIX + name, sealed.value().isEmpty() ? value : "");
          } else {
            store.putSetting(PREFIX + name, value);
          }
        });
  }

  private static boolean isSecret(String name) {
    return ALL.stream().anyMatch(known -> known.secret && known.name.equals(name));
  }

  private static void check(String name, String value) {
    Known known =
        ALL.stream()
            .filter(one -> one.name.equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new SettingException(
                        name,
                        "There is no setting %s; there are: %s."
                            .formatted(name, String.join(", ", descriptions().keySet()))));
    if (!value.isEmpty() && !value.matches(known.pattern)) {
      throw new SettingException(
          name, "%s cannot have this value; it is: %s.".formatted(name, known.description));
    }
  }
}
