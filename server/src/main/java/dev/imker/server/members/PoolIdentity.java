package dev.imker.server.members;

import dev.imker.model.ImkerException;
import dev.imker.server.internal.auth.JobSecrets;
import dev.imker.server.internal.auth.PoolSecrets;
import dev.imker.server.internal.auth.PrivateFile;
import dev.imker.server.internal.auth.SecretBox;
import dev.imker.server.internal.tls.CertificateRenewal;
import dev.imker.server.internal.tls.ServerCertificate;
import dev.imker.server.update.AgentRelease;
import dev.imker.store.PoolStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes all servers of a pool look the same to agents and users: one admin token, one join secret,
 * one certificate authority, one key that software is signed with. The first server makes them, or
 * brings those of its folder along; the database passes them on to the folders of the others.
 */
public final class PoolIdentity {
  private static final Logger LOG = LoggerFactory.getLogger(PoolIdentity.class);
  private static final String SETTING = "server.identity";
  private static final String VARIABLE = "IMKER_SECRET";
  private static final String SECRET_FILE = "pool-secret";
  private static final List<String> FILES =
      List.of("admin-token", "join-secret", "ca.pem", "ca-key.pem", "release-key");

  /** Before there was an authority, servers shared the certificate that became it. */
  private static final Map<String, String> EARLIER_NAMES =
      Map.of("certificate.pem", "ca.pem", "certificate-key.pem", "ca-key.pem");

  /** What leads from earlier authorities to the present one; empty if there were none. */
  private static final String PREVIOUS_AUTHORITY = "ca-previous.pem";

  private static final List<String> AUTHORITY = List.of("ca-key.pem", PREVIOUS_AUTHORITY, "ca.pem");

  private PoolIdentity() {}

  public static void share(Path folder, PoolStore store, Clock clock) {
    share(folder, store, clock, secret(folder));
  }

  /** Passes the certificate authority on by the database. */
  public static CertificateRenewal.Sharing sharing(Path folder, PoolStore store) {
    return new CertificateRenewal.Sharing() {
      @Override
      public void fetch() {
        fetchAuthority(folder, store);
      }

      @Override
      public void publish() {
        PoolIdentity.publish(folder, store);
      }
    };
  }

  /** What servers of one pool encrypt by. */
  public static Optional<String> secret(Path folder) {
    return Optional.ofNullable(System.getenv(VARIABLE))
        .filter(word -> !word.isBlank())
        .or(() -> PrivateFile.read(folder.resolve(SECRET_FILE)).filter(word -> !word.isEmpty()));
  }

  /**
   * @param secret by which the database's copy is encrypted; without one it is not
   */
  static void share(Path folder, PoolStore store, Clock clock, Optional<String> secret) {
    String shared =
        store
            .setting(SETTING)
            .orElseGet(
                () -> {
                  makeMissing(folder, clock);
                  String packed = pack(folder, secret.isPresent());
                  return store.settingOnce(
                      SETTING, secret.map(word -> new SecretBox(word).seal(packed)).orElse(packed));
                });
    Map<String, String> files = unpack(opened(shared, store, secret, folder));
    if (!hasAuthority(files)) {
      throw new ImkerException(
          "The database of this pool lacks the pool's certificate authority (setting %s). Restore it from a backup: agents and commands would not trust a new one."
              .formatted(SETTING));
    }
    files.forEach((name, content) -> keep(folder.resolve(name), content));
    PoolSecrets.accept(folder, store);
  }

  /** Puts the authority of the pool into the folder, where another server has replaced it. */
  private static void fetchAuthority(Path folder, PoolStore store) {
    store
        .setting(SETTING)
        .map(
            shared ->
                SecretBox.isSealed(shared) ? opened(shared, store, secret(folder), folder) : shared)
        .map(PoolIdentity::unpack)
        .filter(PoolIdentity::hasAuthority)
        .ifPresent(
            files ->
                AUTHORITY.forEach(
                    name -> keep(folder.resolve(name), files.getOrDefault(name, ""))));
  }

  /** Makes what is in the folder that of all servers. */
  private static void publish(Path folder, PoolStore store) {
    Optional<String> secret = secret(folder);
    String packed = pack(folder, secret.isPresent());
    store.putSetting(SETTING, secret.map(word -> new SecretBox(word).seal(packed)).orElse(packed));
  }

  private static void keep(Path file, String content) {
    if (!PrivateFile.read(file).orElse("").equals(content.strip())) {
      PrivateFile.write(file, content);
    }
  }

  private static String opened(
      String shared, PoolStore store, Optional<String> secret, Path folder) {
    if (!SecretBox.isSealed(shared)) {
      if (secret.isPresent()) {
        store.putSetting(SETTING, new SecretBox(secret.get()).seal(shared));
      } else {
        LOG.warn(
            "The database holds the admin token and the keys of this pool in plain text."
                + " To encrypt them, set {} for all of its servers, or put the same secret into"
                + " {}.",
            VARIABLE,
            folder.resolve(SECRET_FILE));
      }
      return shared;
    }
    String word =
        secret.orElseThrow(
            () ->
                new ImkerException(
                    "The keys of this pool are encrypted in its database, and this server does not have the secret: set %s as on the other servers, or copy their file %s to %s."
                        .formatted(VARIABLE, SECRET_FILE, folder)));
    try {
      return new SecretBox(word).open(shared);
    } catch (ImkerException e) {
      throw new ImkerException(
          "The keys of this pool cannot be decrypted with the secret of this server (%s, or the file %s in %s): all servers must use the same one. %s"
              .formatted(VARIABLE, SECRET_FILE, folder, e.getMessage()),
          e);
    }
  }

  private static void makeMissing(Path folder, Clock clock) {
    PoolSecrets.makeMissing(folder);
    ServerCertificate.makeAuthority(folder, clock.instant());
    AgentRelease.makeKey(folder);
  }

  /**
   * @param encrypted whether the copy will be; otherwise the key of jobs' secrets stays here
   */
  private static String pack(Path folder, boolean encrypted) {
    StringBuilder text = new StringBuilder();
    for (String name : FILES) {
      append(
          text,
          name,
          PrivateFile.read(folder.resolve(name))
              .orElseThrow(() -> new ImkerException("There is no " + name + " in " + folder)));
    }
    if (encrypted) {
      PrivateFile.read(folder.resolve(JobSecrets.KEY_FILE))
          .ifPresent(content -> append(text, JobSecrets.KEY_FILE, content));
    }
    append(
        text, PREVIOUS_AUTHORITY, PrivateFile.read(folder.resolve(PREVIOUS_AUTHORITY)).orElse(""));
    return text.toString();
  }

  private static void append(StringBuilder text, String name, String content) {
    byte[] bytes = (content + "\n").getBytes(StandardCharsets.UTF_8);
    text.append(name).append(' ').append(Base64.getEncoder().encodeToString(bytes)).append('\n');
  }

  private static boolean isShared(String name) {
    return FILES.contains(name)
        || name.equals(PREVIOUS_AUTHORITY)
        || name.equals(JobSecrets.KEY_FILE);
  }

  private static boolean hasAuthority(Map<String, String> files) {
    return files.containsKey("ca.pem") && files.containsKey("ca-key.pem");
  }

  private static Map<String, String> unpack(String text) {
    Map<String, String> files = new LinkedHashMap<>();
    for (String[] parts : text.lines().map(line -> line.split(" ", 2)).toList()) {
      String name = EARLIER_NAMES.getOrDefault(parts[0], parts[0]);
      if (parts.length == 2 && isShared(name)) {
        byte[] content = Base64.getDecoder().decode(parts[1]);
        files.put(name, new String(content, StandardCharsets.UTF_8));
      }
    }
    return files;
  }
}
