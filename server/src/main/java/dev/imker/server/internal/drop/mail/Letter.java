package dev.imker.server.internal.drop.mail;

import dev.imker.server.internal.drop.place.DropNames;
import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeUtility;
import java.io.IOException;
import java.io.InputStream;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/** A mail that may bring a job file. */
record Letter(Message message) {
  /** What is looked at of every mail. */
  static final List<String> HEADERS =
      List.of("Message-ID", "Date", "From", "Auto-Submitted", "Authentication-Results");

  private static final int HASH_DIGITS = 8;
  private static final Pattern PASSED = Pattern.compile("(?i)\\bdmarc\\s*=\\s*pass\\b");

  /** The address it is from; empty if there is not exactly one. */
  String sender() throws MessagingException {
    Address[] from = message.getFrom();
    boolean one = from != null && from.length == 1 && from[0] instanceof InternetAddress;
    return one ? ((InternetAddress) from[0]).getAddress() : "";
  }

  /** Whether a program sent it by itself, such as a note that somebody is on holiday. */
  boolean isAutomatic() throws MessagingException {
    String[] header = message.getHeader("Auto-Submitted");
    return header != null && !header[0].strip().equalsIgnoreCase("no");
  }

  /**
   * Whether this mail server says that the sender is who it says (RFC 8601). Only its topmost word
   * counts; what is below may have come with the mail.
   */
  boolean isVerifiedBy(String server) throws MessagingException {
    String[] results = message.getHeader("Authentication-Results");
    if (results == null) {
      return false;
    }
    String topmost = MimeUtility.unfold(results[0]).strip();
    int end = topmost.indexOf(';');
    return end > 0
        && topmost.substring(0, end).strip().split("\\s", 2)[0].equalsIgnoreCase(server)
        && PASSED.matcher(topmost).find();
  }

  /** The job files attached. */
  List<String> jobFiles() throws MessagingException, IOException {
    return attachments().stream().map(Letter::nameOf).filter(DropNames::isJobFile).toList();
  }

  /** The path of its only job file: the name, and what tells this mail from others. */
  String path(String jobFile) throws MessagingException {
    String start = DropNames.withoutExtension(jobFile);
    return start + "-" + hash() + jobFile.substring(start.length());
  }

  /** Whether this mail has the file of this path. */
  boolean has(String path) throws MessagingException {
    return DropNames.withoutExtension(path).endsWith("-" + hash());
  }

  private String hash() throws MessagingException {
    StringBuilder text = new StringBuilder();
    for (String name : List.of("Message-ID", "Date", "From")) {
      String[] header = message.getHeader(name);
      text.append(header == null ? "" : header[0]).append('\n');
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

  /** The content of its job file. */
  byte[] job() throws MessagingException, IOException {
    for (Part part : attachments()) {
      if (DropNames.isJobFile(nameOf(part))) {
        try (InputStream in = part.getInputStream()) {
          return in.readAllBytes();
        }
      }
    }
    throw new IOException("the mail has no job file any more");
  }

  /** Puts what else is attached into a folder. */
  void unpack(Path folder) throws MessagingException, IOException {
    for (Part part : attachments()) {
      if (!DropNames.isJobFile(nameOf(part))) {
        try (InputStream in = part.getInputStream()) {
          Files.copy(in, folder.resolve(nameOf(part)), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  private List<Part> attachments() throws MessagingException, IOException {
    List<Part> all = new ArrayList<>();
    collect(message, all);
    return all;
  }

  private static void collect(Part part, List<Part> all) throws MessagingException, IOException {
    if (part.isMimeType("multipart/*")) {
      Multipart parts = (Multipart) part.getContent();
      for (int i = 0; i < parts.getCount(); i++) {
        collect(parts.getBodyPart(i), all);
      }
    } else if (!nameOf(part).isEmpty()) {
      all.add(part);
    }
  }

  /** Without folders; empty if it has none, or none that a file can have. */
  private static String nameOf(Part part) {
    try {
      String written = part.getFileName();
      String name = written == null ? "" : MimeUtility.decodeText(written);
      String last = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
      boolean usable = !last.equals(".") && !last.equals("..") && last.indexOf('\0') < 0;
      return usable ? last : "";
    } catch (MessagingException | UnsupportedEncodingException e) {
      return "";
    }
  }
}
