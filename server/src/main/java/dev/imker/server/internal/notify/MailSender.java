package dev.imker.server.internal.notify;

import dev.imker.server.internal.settings.PoolSettings;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Properties;

/** Sends mail by SMTP, as the settings say at the time. */
record MailSender(PoolSettings settings) {
  private static final String PATIENCE_MILLIS = "20000";

  /** Sends one mail; returns when the mail server has taken it. */
  void send(long delivery, String address, Digest digest) {
    String host =
        settings
            .get("smtp.host")
            .orElseThrow(
                () ->
                    new NotDeliveredException(
                        "No mail server is configured; an admin can set one with: imker"
                            + " settings set smtp.host=HOST smtp.from=ADDRESS",
                        false,
                        null));
    Session session = Session.getInstance(properties(host));
    try {
      MimeMessage mail = message(session, delivery, address, digest);
      try (Transport transport = session.getTransport("smtp")) {
        String user = settings.get("smtp.user", "");
        if (user.isEmpty()) {
          transport.connect();
        } else {
          transport.connect(user, settings.get("smtp.password", ""));
        }
        transport.sendMessage(mail, mail.getAllRecipients());
      }
    } catch (AddressException e) {
      throw new NotDeliveredException("'" + address + "' is not a mail address.", true, e);
    } catch (MessagingException e) {
      throw new NotDeliveredException("The mail server: " + e.getMessage(), false, e);
    }
  }

  private MimeMessage message(Session session, long delivery, String address, Digest digest)
      throws MessagingException {
    String from = settings.get("smtp.from", "imker@localhost");
    MimeMessage mail = new Identified(session, delivery, digest.job(), from);
    mail.setFrom(new InternetAddress(from, true));
    mail.setRecipient(Message.RecipientType.TO, new InternetAddress(address, true));
    mail.setSubject(digest.subject(), StandardCharsets.UTF_8.name());
    mail.setText(digest.text(), StandardCharsets.UTF_8.name());
    mail.setHeader(
        "Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
    mail.setHeader("Auto-Submitted", "auto-generated");
    return mail;
  }

  private Properties properties(String host) {
    Properties properties = new Properties();
    properties.put("mail.smtp.host", host);
    properties.put("mail.smtp.port", settings.get("smtp.port", "587"));
    properties.put("mail.smtp.connectiontimeout", PATIENCE_MILLIS);
    properties.put("mail.smtp.timeout", PATIENCE_MILLIS);
    properties.put("mail.smtp.writetimeout", PATIENCE_MILLIS);
    properties.put("mail.smtp.auth", Boolean.toString(settings.get("smtp.user").isPresent()));
    String tls = settings.get("smtp.tls", "starttls");
    properties.put("mail.smtp.starttls.enable", Boolean.toString(tls.equals("starttls")));
    properties.put("mail.smtp.starttls.required", Boolean.toString(tls.equals("starttls")));
    properties.put("mail.smtp.ssl.enable", Boolean.toString(tls.equals("tls")));
    properties.put("mail.smtp.ssl.checkserveridentity", "true");
    return properties;
  }

  /** Every try of a notice has the same id, so that readers know a repeated mail. */
  private static final class Identified extends MimeMessage {
    private final String id;

    Identified(Session session, long delivery, long job, String from) {
      super(session);
      id = "<imker-%d-%d@%s>".formatted(delivery, job, from.substring(from.indexOf('@') + 1));
    }

    @Override
    protected void updateMessageID() throws MessagingException {
      setHeader("Message-ID", id);
    }
  }
}
