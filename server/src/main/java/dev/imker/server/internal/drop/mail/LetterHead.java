package dev.imker.server.internal.drop.mail;

import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeUtility;
import java.io.UnsupportedEncodingException;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What the headers of a mail say, which is all that is looked at before its sender is known.
 *
 * @param sender the address it is from; empty if there is not exactly one
 * @param automatic whether a program sent it by itself, such as a note that somebody is on holiday
 * @param proof what the mail server says of the sender; only its topmost word counts, what is below
 *     may have come with the mail
 * @param hash tells this mail from others; the same for each copy of it
 * @param messageId as its sender chose it; may be empty
 */
record LetterHead(
    String sender,
    boolean automatic,
    Optional<AuthenticationResults> proof,
    String hash,
    String messageId,
    String subject) {
  /** What has to be fetched of a mail. */
  static final List<String> HEADERS =
      List.of("Message-ID", "Date", "From", "Subject", "Auto-Submitted", "Authentication-Results");

  /** 128 bits: nobody finds another mail of the same. */
  static final int HASH_DIGITS = 32;

  static LetterHead of(Message message) throws MessagingException {
    String automatic = first(message, "Auto-Submitted");
    String proof = first(message, "Authentication-Results");
    return new LetterHead(
        sender(message.getHeader("From")),
        !automatic.isEmpty() && !automatic.strip().equalsIgnoreCase("no"),
        AuthenticationResults.parse(MimeUtility.unfold(proof)),
        hash(message),
        MimeUtility.unfold(first(message, "Message-ID")).strip(),
        decoded(first(message, "Subject")));
  }

  private static String first(Message message, String name) throws MessagingException {
    String[] all = message.getHeader(name);
    return all == null ? "" : all[0];
  }

  /** Of two lines, each reader of the mail may believe another one. */
  private static String sender(String[] lines) {
    if (lines == null || lines.length != 1) {
      return "";
    }
    try {
      InternetAddress[] all = InternetAddress.parseHeader(MimeUtility.unfold(lines[0]), true);
      return all.length == 1 && !all[0].isGroup() ? all[0].getAddress() : "";
    } catch (AddressException e) {
      return "";
    }
  }

  private static String decoded(String text) {
    try {
      return MimeUtility.decodeText(MimeUtility.unfold(text));
    } catch (UnsupportedEncodingException e) {
      return text;
    }
  }

  private static String hash(Message message) throws MessagingException {
    StringBuilder text = new StringBuilder();
    for (String name : List.of("Message-ID", "Date", "From")) {
      text.append(first(message, name)).append('\n');
    }
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Whether this mail server says that the sender is who it says. */
  boolean isProvenBy(String server) {
    String domain = sender.substring(sender.lastIndexOf('@') + 1);
    return proof
        .flatMap(results -> results.provenDomain(server))
        .map(proven -> ascii(proven).equalsIgnoreCase(ascii(domain)) && !domain.isEmpty())
        .orElse(false);
  }

  private static String ascii(String domain) {
    try {
      return IDN.toASCII(domain.endsWith(".") ? domain.substring(0, domain.length() - 1) : domain);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
