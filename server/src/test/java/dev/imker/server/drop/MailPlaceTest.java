package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.store.FolderException;
import com.icegreen.greenmail.store.MailFolder;
import com.icegreen.greenmail.store.StoredMessage;
import com.icegreen.greenmail.user.GreenMailUser;
import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.mail.MailPlace;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.DropPlace.Claim;
import dev.imker.testbase.ExpectedLogs;
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
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/** A mailbox of a real mail server, in this process. */
@ExpectedLogs("in the drop folder .* waits|Rejecting mails in .*|rejected a reply")
class MailPlaceTest extends DropPlaceContract {
  private static final String ADA = "ada@example.org";
  private static final String JOBS = "jobs@pool.example.org";
  private static final String PROOF = "dmarc=pass (p=none) header.from=example.org";

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
    String evil = "header.from=example.com";
    mails().send("mallory@example.com", "bad.yaml", "work", "dmarc=pass " + evil);
    mails().send("ada@example.org.example.com", "worse.yaml", "work", "dmarc=pass " + evil);
    mails().send(ADA, "false.yaml", "work", "dmarc=fail header.from=example.org");
    mails().send(ADA, "forged.yaml", "work", "dmarc=fail", "mx.pool.example.org; " + PROOF);
    mails().send(ADA, "other.yaml", "work", "dmarc=pass " + evil);
    mails().send(ADA, "none.yaml", "work", "dmarc=pass");
    String chosen = "spf=pass smtp.mailfrom=dmarc=pass@evil.example; dmarc=fail (p=none) ";
    mails().send(ADA, "chosen.yaml", "work", chosen + "header.from=example.org");
    try (DropPlace place = shelf.open("server-1", 0)) {
      DropPlace.Inbox inbox = place.inbox();
      assertThat(inbox.waiting()).isEmpty();
      assertThat(inbox.unusable()).containsOnlyKeys("Imker/refused");
      assertThat(inbox.unusable().get("Imker/refused"))
          .startsWith("5 received")
          .contains(ADA, "does not confirm its sender");
    }
    serve(2, 0);
    assertThat(pool.items).isEmpty();
    assertThat(mails().answers()).isZero();
    assertThat(files().keySet())
        .containsExactly(
            "inbox/bad.yaml",
            "inbox/worse.yaml",
            "refused/chosen.yaml",
            "refused/false.yaml",
            "refused/forged.yaml",
            "refused/none.yaml",
            "refused/other.yaml");
  }

  @Test
  void a_mail_with_two_senders_is_nobodys() throws Exception {
    MimeMultipart parts = new MimeMultipart();
    parts.addBodyPart(attachment("a.yaml", "work"));
    MimeMessage mail = mails().mail(ADA, parts, "mx.pool.example.org; " + PROOF);
    mail.addHeader("From", "mallory@example.org");
    mails().deliver(mail);
    serve(2, 0);
    assertThat(pool.items).isEmpty();
    assertThat(files()).containsOnlyKeys("inbox/a.yaml");
  }

  @Test
  void a_mail_that_came_twice_runs_once() throws Exception {
    MimeMultipart parts = new MimeMultipart();
    parts.addBodyPart(attachment("a.yaml", "work"));
    MimeMessage mail = mails().mail(ADA, parts, "mx.pool.example.org; " + PROOF);
    mails().deliver(new MimeMessage(mail));
    mails().deliver(new MimeMessage(mail));
    serve(2, 0);
    mails().deliver(new MimeMessage(mail));
    pool.finishAll();
    serve(2, 0);
    assertThat(pool.submitted()).containsExactly("work");
    assertThat(mails().answers()).isEqualTo(1);
    assertThat(mails().count("done")).isEqualTo(3);
  }

  @Test
  void a_mail_that_comes_again_when_it_is_done_does_not_run_again() throws Exception {
    MimeMultipart parts = new MimeMultipart();
    parts.addBodyPart(attachment("a.yaml", "work"));
    MimeMessage mail = mails().mail(ADA, parts, "mx.pool.example.org; " + PROOF);
    mails().deliver(new MimeMessage(mail));
    serve(2, 0);
    pool.finishAll();
    serve(1, 0);
    mails().deliver(new MimeMessage(mail));
    serve(2, 0);
    assertThat(pool.submitted()).containsExactly("work");
    assertThat(mails().count("refused")).isEqualTo(1);
  }

  @Test
  void a_mail_that_a_person_puts_back_runs_again_and_is_answered_again() throws Exception {
    run("a.yaml", "work");
    mails().moveAll("done", "inbox");
    serve(2, 0);
    pool.finishAll();
    serve(2, 0);
    assertThat(pool.submitted()).containsExactly("work", "work");
    assertThat(mails().answers()).isEqualTo(2);
  }

  /** Without MOVE a mail is copied, and then removed. */
  @Test
  void a_mail_that_was_copied_but_not_removed_runs_once() throws Exception {
    shelf.write("inbox/a.yaml", "work");
    try (DropPlace place = shelf.open("server-1", 0)) {
      Claim claim = new Claim("id", place.inbox().waiting().getFirst().path());
      mails().copyAll("inbox", "running");
      place.signOfLife(List.of());
      assertThat(place.showRunning(claim)).isEqualTo(DropPlace.Showing.SHOWN);
    }
    assertThat(mails().count("running")).isEqualTo(2);
    assertThat(mails().count("inbox")).isZero();
  }

  @Test
  void a_mail_that_cannot_be_read_stops_no_other() throws Exception {
    MimeMultipart inner = new MimeMultipart();
    inner.addBodyPart(attachment("a.yaml", "work"));
    for (int i = 0; i < 30; i++) {
      MimeBodyPart part = new MimeBodyPart();
      part.setContent(inner);
      inner = new MimeMultipart();
      inner.addBodyPart(part);
    }
    mails().send(ADA, inner, "mx.pool.example.org; " + PROOF);
    shelf.write("inbox/b.yaml", "work b");
    try (DropPlace place = shelf.open("server-1", 0)) {
      DropKeeper keeper = new DropKeeper(place, pool, pool, Clock.systemUTC(), 0);
      keeper.turn();
      keeper.turn();
      assertThat(keeper.trouble()).contains("cannot be read").contains(ADA);
    }
    assertThat(pool.submitted()).containsExactly("work b");
  }

  @Test
  void results_that_the_mail_server_does_not_take_are_told_about() throws Exception {
    try (SmallMailServer small = new SmallMailServer(20_000, "nobody")) {
      mails().answersGoTo(small.port());
      run("large.yaml", "work that is large");
      run("other.yaml", "work");
      assertThat(small.taken()).hasSize(2);
      assertThat(small.taken().getFirst()).contains("5.3.4 too large").doesNotContain("zip");
      assertThat(small.taken().getLast()).contains("results.zip");
    }
    assertThat(mails().count("done")).isEqualTo(2);
  }

  @Test
  void an_archive_that_is_larger_than_an_answer_may_be_is_not_made() throws Exception {
    mails().maxBytes = 1_000;
    run("large.yaml", "work that is large");
    assertThat(files()).containsOnlyKeys("done/large.yaml");
    assertThat(mails().lastAnswer()).contains("too large for a mail");
  }

  @Test
  void what_the_mail_server_has_against_the_pool_is_waited_out() throws Exception {
    try (SmallMailServer small = new SmallMailServer(20_000, JOBS)) {
      mails().answersGoTo(small.port());
      run("a.yaml", "work");
      assertThat(files()).containsOnlyKeys("running/a.yaml");
      mails().answersGoTo(0);
      serve(1, 0);
      assertThat(files()).containsKeys("done/a.yaml", "results/a/out/result.txt");
    }
  }

  @Test
  void what_is_attached_besides_is_there_for_the_job() throws Exception {
    MimeMultipart parts = new MimeMultipart();
    parts.addBodyPart(attachment("../a.yaml", "work"));
    parts.addBodyPart(attachment("../table.csv", "1,2"));
    mails().send(ADA, parts, "mx.pool.example.org; " + PROOF);
    try (DropPlace place = shelf.open("server-1", 0)) {
      String path = place.inbox().waiting().getFirst().path();
      assertThat(path).startsWith("a-").endsWith(".yaml").doesNotContain("/");
      assertThat(place.files(path).read("table.csv"))
          .hasValueSatisfying(bytes -> assertThat(bytes).asString().isEqualTo("1,2"));
    }
  }

  @Test
  void a_mail_with_two_job_files_is_answered() throws Exception {
    MimeMultipart parts = new MimeMultipart();
    parts.addBodyPart(attachment("a.yaml", "work"));
    parts.addBodyPart(attachment("b.yaml", "work"));
    mails().send(ADA, parts, "mx.pool.example.org; " + PROOF);
    serve(2, 0);
    assertThat(pool.items).isEmpty();
    assertThat(mails().answers()).isEqualTo(1);
    assertThat(mails().lastAnswer()).contains("2 job files");
    assertThat(files()).containsKey("failed/a.yaml");
  }

  @Test
  void an_answer_is_sent_once_even_if_its_mail_cannot_be_moved() throws Exception {
    shelf.write("inbox/a.yaml", "work");
    serve(2, 0);
    try (DropPlace place = shelf.open("server-1", 0)) {
      Claim claim = new Claim("id", pool.items.values().iterator().next().path());
      mails().removeFolder("done");
      assertThatThrownBy(() -> place.showEnd(claim, new byte[0], ""))
          .isInstanceOf(IOException.class);
      place.showEnd(claim, new byte[0], "");
    }
    assertThat(mails().answers()).isEqualTo(1);
    assertThat(mails().count("done")).isEqualTo(1);
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
    private final PromptMail mail = new PromptMail();
    private final GreenMailUser jobs;
    private final GreenMailUser ada;
    private final Path keys;
    private final AtomicInteger sent = new AtomicInteger();
    private int smtp;
    int maxBytes = 1 << 20;

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
                  .formatted(JOBS, smtp == 0 ? mail.getSmtp().getPort() : smtp));
      return MailPlace.open(
          "imap://127.0.0.1:%d/INBOX".formatted(mail.imapPort()),
          key,
          new MailPlace.Pace(20, 20, maxBytes));
    }

    /** Another mail server takes them; 0 means the usual one. */
    void answersGoTo(int port) {
      smtp = port;
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
      deliver(mail(from, parts, results));
    }

    void deliver(MimeMessage message) {
      jobs.deliver(message);
    }

    MimeMessage mail(String from, MimeMultipart parts, String... results) throws Exception {
      MimeMessage message = new MimeMessage(Session.getInstance(new Properties()));
      message.setFrom(new InternetAddress(from));
      message.setRecipient(Message.RecipientType.TO, new InternetAddress(JOBS));
      message.setSubject("mail " + sent.incrementAndGet());
      message.setContent(parts);
      message.saveChanges();
      for (String result : results) {
        message.addHeader("Authentication-Results", result);
      }
      return message;
    }

    int count(String name) {
      return folder(name + "/").getMessageCount();
    }

    /** As a person does it, with all that the mail server knows of the mails. */
    void moveAll(String from, String target) throws FolderException {
      for (StoredMessage message : List.copyOf(folder(from + "/").getMessages())) {
        folder(from + "/").moveMessage(message.getUid(), folder(target + "/"));
      }
    }

    void copyAll(String from, String target) throws FolderException {
      for (StoredMessage message : List.copyOf(folder(from + "/").getMessages())) {
        folder(from + "/").copyMessage(message.getUid(), folder(target + "/"));
      }
    }

    void removeFolder(String name) throws Exception {
      mail.getManagers().getImapHostManager().deleteMailbox(jobs, "Imker." + name);
    }

    String lastAnswer() throws Exception {
      List<StoredMessage> all = inboxOf(ada).getMessages();
      Multipart parts = (Multipart) all.getLast().getMimeMessage().getContent();
      return parts.getBodyPart(0).getContent().toString();
    }

    @Override
    public void write(String path, String text) throws Exception {
      send(ADA, path.substring(path.indexOf('/') + 1), text, PROOF);
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
      for (String part : new String[] {"inbox", "running", "done", "failed", "refused"}) {
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
