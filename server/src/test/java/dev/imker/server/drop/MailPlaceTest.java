package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.store.FolderException;
import com.icegreen.greenmail.store.MailFolder;
import com.icegreen.greenmail.store.StoredMessage;
import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.mail.MailPlace;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.DropPlace.Claim;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/** A mailbox of a real mail server, in this process. */
class MailPlaceTest extends DropPlaceContract {
  private static final String ADA = "ada@example.org";
  private static final String JOBS = "jobs@pool.example.org";

  @Override
  Shelf shelf(Path folder, String name) throws Exception {
    return new MailShelf(folder);
  }

  /** Starting a mail server takes longer than anything else here. */
  @Override
  int stride() {
    return 11;
  }

  private MailShelf mails() {
    return (MailShelf) shelf;
  }

  @Test
  void strangers_and_people_who_pretend_get_nothing() throws Exception {
    mails().send("mallory@example.com", "bad.yaml", "work", "dmarc=pass");
    mails().send("ada@example.org.example.com", "worse.yaml", "work", "dmarc=pass");
    mails().send(ADA, "false.yaml", "work", "dmarc=fail");
    mails().send(ADA, "forged.yaml", "work", "dmarc=fail", "mx.pool.example.org; dmarc=pass");
    try (DropPlace place = shelf.open("server-1", 0)) {
      DropPlace.Inbox inbox = place.inbox();
      assertThat(inbox.waiting()).isEmpty();
      assertThat(inbox.unusable().keySet()).hasSize(2).allMatch(name -> name.contains(ADA));
      assertThat(inbox.unusable().values()).allMatch(why -> why.contains("dmarc=pass"));
    }
    serve(2, 0);
    assertThat(pool.items).isEmpty();
    assertThat(mails().answers()).isZero();
  }

  @Test
  void what_is_attached_besides_is_there_for_the_job() throws Exception {
    MimeMultipart parts = new MimeMultipart();
    parts.addBodyPart(attachment("../a.yaml", "work"));
    parts.addBodyPart(attachment("../table.csv", "1,2"));
    mails().send(ADA, parts, "mx.pool.example.org; dmarc=pass");
    try (DropPlace place = shelf.open("server-1", 0)) {
      String path = place.inbox().waiting().getFirst().path();
      assertThat(path).startsWith("a-").endsWith(".yaml").doesNotContain("/");
      assertThat(place.files(path).read("table.csv"))
          .hasValueSatisfying(bytes -> assertThat(bytes).asString().isEqualTo("1,2"));
    }
  }

  @Test
  void a_mail_with_two_job_files_is_told_about() throws Exception {
    MimeMultipart parts = new MimeMultipart();
    parts.addBodyPart(attachment("a.yaml", "work"));
    parts.addBodyPart(attachment("b.yaml", "work"));
    mails().send(ADA, parts, "mx.pool.example.org; dmarc=pass");
    try (DropPlace place = shelf.open("server-1", 0)) {
      assertThat(place.inbox().waiting()).isEmpty();
      assertThat(place.inbox().unusable().values().iterator().next()).contains("2 job files");
    }
  }

  @Test
  void an_answer_is_sent_once_even_if_it_is_asked_for_twice() throws Exception {
    shelf.write("inbox/a.yaml", "work");
    serve(2, 0);
    try (DropPlace place = shelf.open("server-1", 0)) {
      Claim claim = new Claim("id", pool.items.values().iterator().next().path());
      place.showEnd(claim, new byte[0], "");
      place.showEnd(claim, new byte[0], "");
    }
    assertThat(mails().answers()).isEqualTo(1);
  }

  @Test
  void a_key_file_that_lacks_something_is_told() throws Exception {
    Path key = Files.writeString(temporary.resolve("short"), "user = x\nsender = y\n");
    assertThatThrownBy(() -> MailPlace.open("imap://127.0.0.1/INBOX", key, MailPlace.Pace.USUAL))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("missing: [from, password, senders, smtp, verified-by]")
        .hasMessageContaining("unknown: [sender]");
  }

  private static MimeBodyPart attachment(String name, String text) throws MessagingException {
    MimeBodyPart part = new MimeBodyPart();
    part.setText(text, StandardCharsets.UTF_8.name());
    part.setFileName(name);
    part.setDisposition(Part.ATTACHMENT);
    return part;
  }

  /** The mailbox of the pool, and Ada's, to which answers go. */
  static final class MailShelf implements Shelf {
    private final GreenMail mail =
        new GreenMail(
            new ServerSetup[] {
              new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP),
              new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_IMAP)
            });
    private final GreenMailUser jobs;
    private final GreenMailUser ada;
    private final Path keys;
    private final AtomicInteger sent = new AtomicInteger();

    MailShelf(Path keys) {
      this.keys = keys;
      mail.start();
      jobs = mail.setUser(JOBS, JOBS, "secret");
      ada = mail.setUser(ADA, ADA, "secret");
    }

    @Override
    public DropPlace open(String server, long lostMillis) throws IOException {
      Path key =
          Files.writeString(
              keys.resolve("key"),
              """
              user = %1$s
              password = secret
              senders = ada@example.org, @lab.example.org
              verified-by = mx.pool.example.org
              smtp = smtp://127.0.0.1:%2$d
              from = %1$s
              """
                  .formatted(JOBS, mail.getSmtp().getPort()));
      return MailPlace.open(
          "imap://127.0.0.1:%d/INBOX".formatted(mail.getImap().getPort()),
          key,
          new MailPlace.Pace(20, 20, 1 << 20));
    }

    void send(String from, String file, String text, String verdict, String... below)
        throws Exception {
      MimeMultipart parts = new MimeMultipart();
      parts.addBodyPart(attachment(file, text));
      String[] results = new String[below.length + 1];
      results[0] = "mx.pool.example.org; " + verdict;
      System.arraycopy(below, 0, results, 1, below.length);
      send(from, parts, results);
    }

    void send(String from, MimeMultipart parts, String... results) throws Exception {
      MimeMessage message = new MimeMessage(Session.getInstance(new Properties()));
      message.setFrom(new InternetAddress(from));
      message.setRecipient(Message.RecipientType.TO, new InternetAddress(JOBS));
      message.setSubject("mail " + sent.incrementAndGet());
      message.setContent(parts);
      message.saveChanges();
      for (String result : results) {
        message.addHeader("Authentication-Results", result);
      }
      jobs.deliver(message);
    }

    @Override
    public void write(String path, String text) throws Exception {
      send(ADA, path.substring(path.indexOf('/') + 1), text, "dmarc=pass");
    }

    private MailFolder folder(String path) {
      String name = path.substring(0, path.indexOf('/'));
      return mail.getManagers()
          .getImapHostManager()
          .getFolder(jobs, name.equals("inbox") ? "INBOX" : "Imker." + name);
    }

    private StoredMessage at(String path) throws Exception {
      for (StoredMessage message : folder(path).getMessages()) {
        if (path.endsWith("/" + nameOf(message.getMimeMessage()))) {
          return message;
        }
      }
      throw new IllegalStateException("no mail " + path);
    }

    private static String nameOf(MimeMessage message) throws Exception {
      return ((Multipart) message.getContent()).getBodyPart(0).getFileName();
    }

    @Override
    public void move(String path, String target) throws Exception {
      MimeMessage copy = new MimeMessage(at(path).getMimeMessage());
      remove(path);
      jobs.deliver(copy);
    }

    @Override
    public void remove(String path) throws Exception {
      StoredMessage message = at(path);
      folder(path)
          .setFlags(
              new jakarta.mail.Flags(jakarta.mail.Flags.Flag.DELETED),
              true,
              message.getUid(),
              null,
              true);
      folder(path).expunge();
    }

    @Override
    public Map<String, String> files() throws Exception {
      Map<String, String> all = new TreeMap<>();
      for (String part : new String[] {"inbox", "running", "done", "failed"}) {
        MailFolder folder = folder(part + "/");
        if (folder != null) {
          for (StoredMessage message : folder.getMessages()) {
            Multipart parts = (Multipart) message.getMimeMessage().getContent();
            all.put(
                part + "/" + nameOf(message.getMimeMessage()),
                parts.getBodyPart(0).getContent().toString());
          }
        }
      }
      addAnswers(all);
      return all;
    }

    int answers() throws FolderException {
      return inboxOf(ada).getMessageCount();
    }

    private MailFolder inboxOf(GreenMailUser user) throws FolderException {
      return mail.getManagers().getImapHostManager().getInbox(user);
    }

    /** What people see of the answers: the archive as results, the words beside what failed. */
    private void addAnswers(Map<String, String> all) throws Exception {
      for (StoredMessage message : inboxOf(ada).getMessages()) {
        String[] subject = message.getMimeMessage().getSubject().split(": ", 2);
        Multipart parts = (Multipart) message.getMimeMessage().getContent();
        if (subject[0].equals("Failed")) {
          all.put("failed/" + subject[1] + ".txt", parts.getBodyPart(0).getContent().toString());
        } else {
          all.remove("failed/" + subject[1] + ".txt");
        }
        if (parts.getCount() > 1) {
          unzip(parts.getBodyPart(1).getInputStream(), subject[1].replace(".yaml", ""), all);
        }
      }
    }

    private static void unzip(InputStream archive, String name, Map<String, String> all)
        throws IOException {
      try (ZipInputStream zip = new ZipInputStream(archive)) {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          all.put(
              "results/" + name + "/" + entry.getName(),
              new String(zip.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }

    @Override
    public String trouble(String path) {
      return "no room: is told by imker drop list";
    }

    @Override
    public void close() {
      mail.stop();
    }
  }
}
