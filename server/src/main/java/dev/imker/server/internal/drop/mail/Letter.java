package dev.imker.server.internal.drop.mail;

import dev.imker.server.internal.drop.place.DropNames;
import dev.imker.server.internal.drop.place.DropPlace;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.MimeUtility;
import java.io.IOException;
import java.io.InputStream;
import java.io.UnsupportedEncodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** A mail that may contain a job file. */
record Letter(Message message, LetterHead head) {
  private static final int MAX_DEPTH = 20;

  /** The job files attached. */
  List<String> jobFiles() throws MessagingException, IOException {
    return attachments().stream().map(Letter::nameOf).filter(DropNames::isJobFile).toList();
  }

  /** The content of its job file; cut if it is larger than a job file may be. */
  byte[] job() throws MessagingException, IOException {
    for (Part part : attachments()) {
      if (DropNames.isJobFile(nameOf(part))) {
        try (InputStream in = part.getInputStream()) {
          return in.readNBytes(DropPlace.MAX_JOB_FILE_BYTES + 1);
        }
      }
    }
    throw new IOException("the mail no longer has a job file");
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
    collect(message, MAX_DEPTH, all);
    return all;
  }

  private static void collect(Part part, int depth, List<Part> all)
      throws MessagingException, IOException {
    if (part.isMimeType("multipart/*")) {
      if (depth == 0) {
        throw new IOException("its parts are nested more than " + MAX_DEPTH + " deep");
      }
      Multipart parts = (Multipart) part.getContent();
      for (int i = 0; i < parts.getCount(); i++) {
        collect(parts.getBodyPart(i), depth - 1, all);
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
