package dev.imker.server;

import dev.imker.model.ImkerException;
import dev.imker.server.auth.PoolSecrets;
import dev.imker.server.auth.PrivateFile;
import dev.imker.server.tls.HostName;
import dev.imker.server.tls.ServerCertificate;
import dev.imker.server.update.AgentRelease;
import dev.imker.store.PoolStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes all servers of a pool look the same to agents and users: one admin token, one join secret,
 * one certificate, one key that software is signed with. The first server makes them, or brings
 * those of its folder along; the database passes them on to the folders of the others.
 */
final class PoolIdentity {
  private static final String SETTING = "server.identity";
  private static final List<String> FILES =
      List.of(
          "admin-token", "join-secret", "certificate.pem", "certificate-key.pem", "release-key");

  private PoolIdentity() {}

  static void share(Path folder, PoolStore store, Clock clock) {
    String shared =
        store
            .setting(SETTING)
            .orElseGet(
                () -> {
                  makeMissing(folder, clock);
                  return store.settingOnce(SETTING, pack(folder));
                });
    Map<String, String> files = unpack(shared);
    files.forEach(
        (name, content) -> {
          Path file = folder.resolve(name);
          if (!PrivateFile.read(file).orElse("").equals(content.strip())) {
            PrivateFile.write(file, content);
          }
        });
    PoolSecrets.accept(folder, store);
  }

  private static void makeMissing(Path folder, Clock clock) {
    PoolSecrets.makeMissing(folder);
    ServerCertificate.open(folder, HostName.ofThisMachine(), clock);
    AgentRelease.makeKey(folder);
  }

  private static String pack(Path folder) {
    StringBuilder text = new StringBuilder();
    for (String name : FILES) {
      String content =
          PrivateFile.read(folder.resolve(name))
              .orElseThrow(() -> new ImkerException("There is no " + name + " in " + folder));
      byte[] bytes = (content + "\n").getBytes(StandardCharsets.UTF_8);
      text.append(name).append(' ').append(Base64.getEncoder().encodeToString(bytes)).append('\n');
    }
    return text.toString();
  }

  private static Map<String, String> unpack(String text) {
    Map<String, String> files = new LinkedHashMap<>();
    text.lines()
        .map(line -> line.split(" ", 2))
        .filter(parts -> parts.length == 2 && FILES.contains(parts[0]))
        .forEach(
            parts ->
                files.put(
                    parts[0],
                    new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8)));
    return files;
  }
}
