package dev.imker.server.internal.drop.mail;

import dev.imker.model.text.SafeText;
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
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the outcome of a mail back to its sender.
 *
 * @param key says where it is sent and by whom
 */
record MailAnswer(MailKey key) {
  private static final Logger LOG = LoggerFactory.getLogger(MailAnswer.class);
  private static final int REFUSED = 500;
  private static final int LOGIN = 53;

  /**
   * Answers a mail; returns when the mail server has taken the answer, or refuses it for good. If
   * it refuses one with results, one without is sent.
   *
   * @param id tells this answer from others; the same whenever it is sent again
   * @param cause why it failed; else empty
   * @param results the archive, which need not be there; empty if it was too large
   */
  void send(LetterHead letter, String id, String file, String cause, Path results)
      throws MessagingException, IOException {
    String words = cause.isEmpty() ? file + " is done." : cause;
    boolean attached = Files.exists(results) && Files.size(results) > 0;
    try {
      if (attached) {
        send(mail(letter, id, file, cause, words + "\n\nThe results are attached.", results));
      } else {
        String none =
            Files.exists(results)
                ? "The results are too large for a mail. You find them in the pool, with"
                    + " the job of this file."
                : "There are no results.";
        send(mail(letter, id, file, cause, words + "\n\n" + none, null));
      }
    } catch (SendFailedException e) {
      String why = refusal(e);
      if (why.isEmpty()) {
        throw e;
      }
      LOG.warn("The mail server rejected a reply to {}: {}", letter.sender(), why);
      if (attached) {
        sendWithout(letter, id, file, cause, words, why);
      }
    }
  }

  private void sendWithout(
      LetterHead letter, String id, String file, String cause, String words, String why)
      throws MessagingException {
    String text =
        "%s\n\nThe mail server did not accept a reply with the results (%s). You find them in the pool, with the job of this file."
            .formatted(words, why);
    try {
      send(mail(letter, id, file, cause, text, null));
    } catch (SendFailedException e) {
      if (refusal(e).isEmpty()) {
        throw e;
      }
      LOG.warn("Cannot reply to {}: {}", letter.sender(), refusal(e));
    }
  }

  private MimeMessage mail(
      LetterHead letter, String id, String file, String cause, String words, @Nullable Path archive)
      throws MessagingException {
    Session session = Session.getInstance(MailKey.connection(key.smtp()));
    MimeMessage mail = new Identified(session, "<imker-%s@%s>".formatted(id, domain()));
    mail.setFrom(new InternetAddress(key.from(), true));
    mail.setRecipient(Message.RecipientType.TO, new InternetAddress(letter.sender(), true));
    String outcome = cause.isEmpty() ? "Done: " : "Failed: ";
    mail.setSubject(outcome + SafeText.line(file), StandardCharsets.UTF_8.name());
    mail.setSentDate(Date.from(Instant.now()));
    mail.setHeader("Auto-Submitted", "auto-replied");
    if (!letter.messageId().isEmpty()) {
      mail.setHeader("In-Reply-To", letter.messageId());
      mail.setHeader("References", letter.messageId());
    }
    MimeMultipart parts = new MimeMultipart();
    MimeBodyPart text = new MimeBodyPart();
    text.setText(words + "\n", StandardCharsets.UTF_8.name());
    parts.addBodyPart(text);
    if (archive != null) {
      MimeBodyPart part = new MimeBodyPart();
      part.setDataHandler(new DataHandler(new FileDataSource(archive.toFile())));
      part.setFileName("results.zip");
      part.setHeader("Content-Type", "application/zip");
      parts.addBodyPart(part);
    }
    mail.setContent(parts);
    mail.saveChanges();
    return mail;
  }

  private String domain() {
    return key.from().substring(key.from().indexOf('@') + 1);
  }

  private void send(MimeMessage mail) throws MessagingException {
    try (Transport transport = mail.getSession().getTransport(key.smtp().getScheme())) {
      transport.connect(key.smtp().getHost(), key.smtp().getPort(), key.user(), key.password());
      transport.sendMessage(mail, mail.getAllRecipients());
    }
  }

  /**
   * Why the mail server will never take this mail; empty if it may yet: what it has against us as
   * senders, somebody can change.
   */
  private static String refusal(SendFailedException failure) {
    boolean refused = false;
    for (Exception e = failure; e != null; e = next(e)) {
      if (e instanceof SMTPSenderFailedException) {
        return "";
      }
      int code =
          switch (e) {
            case SMTPSendFailedException mail -> mail.getReturnCode();
            case SMTPAddressFailedException address -> address.getReturnCode();
            default -> 0;
          };
      refused |= code >= REFUSED && code / 10 != LOGIN;
    }
    return refused ? SafeText.line(String.valueOf(failure.getMessage()), 200).strip() : "";
  }

  private static @Nullable Exception next(Exception e) {
    return e instanceof MessagingException mail ? mail.getNextException() : null;
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
