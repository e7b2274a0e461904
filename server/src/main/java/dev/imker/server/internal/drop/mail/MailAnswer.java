package dev.imker.server.internal.drop.mail;

import jakarta.activation.DataHandler;
import jakarta.activation.FileDataSource;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what came of a mail back to its sender.
 *
 * @param maxBytes larger archives are not attached
 */
record MailAnswer(MailKey key, long maxBytes) {
  private static final Logger LOG = LoggerFactory.getLogger(MailAnswer.class);

  /**
   * Answers a mail; returns when the mail server has taken it, or refuses the address for good.
   *
   * @param id tells this answer from others; the same whenever it is sent again
   * @param cause why it failed; else empty
   * @param results the archive, which need not be there
   */
  void send(Letter letter, String id, String file, String cause, Path results)
      throws MessagingException, IOException {
    Session session = Session.getInstance(MailKey.connection(key.smtp()));
    MimeMessage mail = new Identified(session, "<imker-%s@%s>".formatted(id, domain()));
    mail.setFrom(new InternetAddress(key.from(), true));
    mail.setRecipient(Message.RecipientType.TO, new InternetAddress(letter.sender(), true));
    String outcome = cause.isEmpty() ? "Done: " : "Failed: ";
    mail.setSubject(outcome + file, StandardCharsets.UTF_8.name());
    mail.setSentDate(Date.from(Instant.now()));
    mail.setHeader("Auto-Submitted", "auto-replied");
    String[] asked = letter.message().getHeader("Message-ID");
    if (asked != null) {
      mail.setHeader("In-Reply-To", asked[0]);
      mail.setHeader("References", asked[0]);
    }
    mail.setContent(content(file, cause, results));
    mail.saveChanges();
    send(session, mail);
  }

  private String domain() {
    return key.from().substring(key.from().indexOf('@') + 1);
  }

  private MimeMultipart content(String file, String cause, Path results)
      throws MessagingException, IOException {
    MimeMultipart parts = new MimeMultipart();
    MimeBodyPart text = new MimeBodyPart();
    parts.addBodyPart(text);
    String words = cause.isEmpty() ? file + " is done." : cause;
    if (!Files.exists(results)) {
      words += "\n\nThere are no results.";
    } else if (Files.size(results) > maxBytes) {
      words +=
          "\n\nThe results are too large for a mail (%,d bytes). They are in the pool, with the job of this file."
              .formatted(Files.size(results));
    } else {
      words += "\n\nThe results are attached.";
      MimeBodyPart archive = new MimeBodyPart();
      archive.setDataHandler(new DataHandler(new FileDataSource(results.toFile())));
      archive.setFileName("results.zip");
      archive.setHeader("Content-Type", "application/zip");
      parts.addBodyPart(archive);
    }
    text.setText(words + "\n", StandardCharsets.UTF_8.name());
    return parts;
  }

  private void send(Session session, MimeMessage mail) throws MessagingException {
    try (Transport transport = session.getTransport(key.smtp().getScheme())) {
      transport.connect(key.smtp().getHost(), key.smtp().getPort(), key.user(), key.password());
      transport.sendMessage(mail, mail.getAllRecipients());
    } catch (SendFailedException e) {
      if (e.getInvalidAddresses() == null || e.getInvalidAddresses().length == 0) {
        throw e;
      }
      LOG.warn(
          "The mail server refuses to answer {}: {}", mail.getAllRecipients()[0], e.getMessage());
    }
  }

  /** Every try of an answer has the same id, so that readers know a repeated mail. */
  private static final class Identified extends MimeMessage {
    private final String id;

    Identified(Session session, String id) {
      super(session);
      this.id = id;
    }

    @Override
    protected void updateMessageID() throws MessagingException {
      setHeader("Message-ID", id);
    }
  }
}
