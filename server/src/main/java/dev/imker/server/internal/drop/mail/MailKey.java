package dev.imker.server.internal.drop.mail;

import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/**
 * The credentials and rules of a mailbox.
 *
 * @param user and {@code password}, for the mailbox and for sending
 * @param senders whose mails become jobs: addresses, or {@code @domain} for all of one
 * @param verifiedBy the mail server whose word counts that a sender is who it says; {@code none} if
 *     nobody looks at that
 * @param smtp where answers are sent
 * @param from the address of answers
 */
record MailKey(
    String user, String password, Set<String> senders, String verifiedBy, URI smtp, String from) {
  /** Nobody looks whether senders are who they say. */
  static final String NONE = "none";

  private static final Set<String> KEYS =
      new TreeSet<>(List.of("user", "password", "senders", "verified-by", "smtp", "from"));

  /** Reads a file with a line {@code key = value} for each of them. */
  static MailKey read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new ImkerException("The key file %s cannot be read: %s".formatted(file, e), e);
    }
    Set<String> unknown = new TreeSet<>(properties.stringPropertyNames());
    unknown.removeAll(KEYS);
    Set<String> missing = new TreeSet<>(KEYS);
    missing.removeIf(key -> !properties.getProperty(key, "").isBlank());
    if (!unknown.isEmpty() || !missing.isEmpty()) {
      throw new ImkerException(
          "The key file %s of a mailbox needs the lines %s; missing: %s, unknown: %s."
              .formatted(file, KEYS, missing, unknown));
    }
    return new MailKey(
        properties.getProperty("user").strip(),
        properties.getProperty("password").strip(),
        senders(properties.getProperty("senders")),
        properties.getProperty("verified-by").strip(),
        address(properties.getProperty("smtp").strip(), Set.of("smtp", "smtps")),
        properties.getProperty("from").strip());
  }

  private static Set<String> senders(String list) {
    Set<String> senders = new TreeSet<>();
    Arrays.stream(list.split("[,\\s]+", -1))
        .filter(sender -> !sender.isEmpty())
        .forEach(sender -> senders.add(sender.toLowerCase(Locale.ROOT)));
    for (String sender : senders) {
      if (sender.indexOf('@') < 0 || sender.endsWith("@")) {
        throw new ImkerException(
            "Write senders as ada@example.org, or @example.org for all of one domain, and not: "
                + sender);
      }
    }
    return senders;
  }

  boolean allows(String sender) {
    String address = sender.toLowerCase(Locale.ROOT);
    return senders.contains(address)
        || senders.contains(address.substring(Math.max(0, address.lastIndexOf('@'))));
  }

  /** The address of a mail server, such as {@code imaps://imap.example.org}. */
  static URI address(String written, Set<String> schemes) {
    URI address;
    try {
      address = URI.create(written);
    } catch (IllegalArgumentException e) {
      throw new ImkerException("Not the address of a mail server: " + written, e);
    }
    if (address.getHost() == null
        || address.getUserInfo() != null
        || !schemes.contains(address.getScheme())) {
      throw new ImkerException(
          "Write a mail server as %s://HOST, and not: %s"
              .formatted(new TreeSet<>(schemes).last(), written));
    }
    return address;
  }

  /** Connection settings: encrypted, except within this machine. */
  static Properties connection(URI server) {
    String name = "mail." + server.getScheme() + ".";
    Properties properties = new Properties();
    for (String time : List.of("connectiontimeout", "timeout", "writetimeout")) {
      properties.put(name + time, "60000");
    }
    properties.put(name + "auth", "true");
    properties.put(name + "ssl.checkserveridentity", "true");
    boolean plain = !server.getScheme().endsWith("s");
    if (plain && !isHere(server.getHost())) {
      properties.put(name + "starttls.enable", "true");
      properties.put(name + "starttls.required", "true");
    }
    return properties;
  }

  private static boolean isHere(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
