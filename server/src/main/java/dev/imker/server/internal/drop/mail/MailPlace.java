package dev.imker.server.internal.drop.mail;

import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.FolderTree;
import dev.imker.server.internal.drop.place.ResultTarget;
import jakarta.mail.Flags;
import jakarta.mail.Folder;
import jakarta.mail.MessagingException;
import jakarta.mail.UIDFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A mailbox as a drop folder: mails with a job file become jobs, and are answered with the results.
 * The folder where mails come in is the inbox; running, done and failed are folders of the mailbox.
 *
 * <p>One pool uses a mailbox. So nothing has to be claimed: a mail stays where it is until the
 * database has taken it, and goes to {@code running} then.
 */
public final class MailPlace implements DropPlace {
  /** Where places of this kind begin. */
  public static final String PREFIX = "mail:";

  private static final String RUNNING = "running";
  private static final String DONE = "done";
  private static final String FAILED = "failed";

  private final URI address;
  private final MailKey key;
  private final Mailbox mailbox;
  private final MailAnswer answer;
  private final Pace pace;
  private final Path kept;

  /**
   * How long things take, and how much a mail may bring.
   *
   * @param maxBytes of an answer
   */
  public record Pace(long soonMillis, long scanMillis, long maxBytes) {
    public static final Pace USUAL = new Pace(5_000, 15_000, 15L << 20);
  }

  private MailPlace(URI address, MailKey key, Pace pace) throws IOException {
    this.address = address;
    this.key = key;
    this.mailbox = new Mailbox(address, key);
    this.answer = new MailAnswer(key, pace.maxBytes);
    this.pace = pace;
    this.kept = Files.createTempDirectory("imker-mail");
  }

  /**
   * Opens a mailbox and makes the folders that are missing.
   *
   * @param written such as {@code imaps://imap.example.org/INBOX}
   * @param keyFile says who may use it for what ({@link MailKey})
   */
  public static MailPlace open(String written, Path keyFile, Pace pace) {
    URI address = MailKey.address(written, Set.of("imap", "imaps"));
    MailKey key = MailKey.read(keyFile);
    try {
      MailPlace place = new MailPlace(address, key, pace);
      for (String folder : List.of(RUNNING, DONE, FAILED)) {
        place.mailbox.in(folder, Folder::getMessageCount);
      }
      return place;
    } catch (IOException e) {
      throw new ImkerException(
          "The mailbox %s cannot be used: %s. See docs/drop-folder.md, Mail."
              .formatted(written, e.getMessage()),
          e);
    }
  }

  @Override
  public String name() {
    return PREFIX + address;
  }

  // ---------------------------------------------------------------- taking

  @Override
  public Inbox inbox() throws IOException {
    return mailbox.inInbox(
        folder -> {
          Map<String, Waiting> waiting = new TreeMap<>();
          Map<String, String> unusable = new TreeMap<>();
          for (Letter letter : mailbox.letters(folder)) {
            look(folder, letter, waiting, unusable);
          }
          return new Inbox(new ArrayList<>(waiting.values()), unusable);
        });
  }

  private void look(
      Folder folder, Letter letter, Map<String, Waiting> waiting, Map<String, String> unusable)
      throws MessagingException, IOException {
    if (letter.isAutomatic()) {
      return;
    }
    List<String> jobs = letter.jobFiles();
    String why = whyUnusable(letter, jobs);
    if (why.isEmpty()) {
      String path = letter.path(jobs.getFirst());
      UIDFolder numbers = (UIDFolder) folder;
      String stamp = numbers.getUIDValidity() + " " + numbers.getUID(letter.message());
      waiting.putIfAbsent(path, new Waiting(path, stamp));
    } else {
      String subject = String.valueOf(letter.message().getSubject());
      unusable.put("mail '" + subject + "' from " + letter.sender(), why);
    }
  }

  private String whyUnusable(Letter letter, List<String> jobs) throws MessagingException {
    if (!key.verifiedBy().equals(MailKey.NONE) && !letter.isVerifiedBy(key.verifiedBy())) {
      return key.verifiedBy() + " does not say that its sender is who it says (dmarc=pass).";
    }
    return jobs.size() == 1
        ? ""
        : "It has " + jobs.size() + " job files attached; a mail needs exactly one.";
  }

  @Override
  public boolean claim(String id, Waiting file) throws IOException {
    return mailbox.inInbox(folder -> mailbox.find(folder, file.path()).isPresent());
  }

  @Override
  public List<Claim> claims() {
    return List.of(); // a mail stays in the inbox until the database has it
  }

  @Override
  public Optional<byte[]> read(Claim claim) throws IOException {
    return where(claim.path(), (_, letter) -> letter.job());
  }

  @Override
  public void giveBack(Claim claim) {
    // It is there still.
  }

  @Override
  public JobFiles files(String path) {
    Path folder = kept.resolve("attached");
    try {
      FolderTree.delete(folder);
      Files.createDirectories(folder);
      where(
          path,
          (_, letter) -> {
            letter.unpack(folder);
            return true;
          });
    } catch (IOException e) {
      throw new ImkerException("What is attached cannot be read: " + e.getMessage(), e);
    }
    return JobFiles.inside(folder);
  }

  /** Something that is done with a mail where it is. */
  @FunctionalInterface
  private interface With<T> {
    T mail(Folder folder, Letter letter) throws MessagingException, IOException;
  }

  /** Does something with the mail of this path, if it is in running or in the inbox. */
  private <T> Optional<T> where(String path, With<T> with) throws IOException {
    Mailbox.Work<Optional<T>> work =
        folder -> {
          Optional<Letter> letter = mailbox.find(folder, path);
          return letter.isPresent()
              ? Optional.of(with.mail(folder, letter.get()))
              : Optional.empty();
        };
    Optional<T> running = mailbox.in(RUNNING, work);
    return running.isPresent() ? running : mailbox.inInbox(work);
  }

  // ---------------------------------------------------------------- showing

  @Override
  public Showing showRunning(Claim claim) throws IOException {
    if (isRunning(claim.path())) {
      return Showing.SHOWN;
    }
    return where(
            claim.path(),
            (folder, letter) -> {
              mailbox.move(folder, letter.message(), RUNNING);
              return Showing.SHOWN;
            })
        .orElse(Showing.GONE);
  }

  @Override
  public void release(Claim claim) {
    // Nothing was claimed.
  }

  @Override
  public boolean isRunning(String path) throws IOException {
    return mailbox.in(RUNNING, folder -> mailbox.find(folder, path).isPresent());
  }

  @Override
  public boolean has(Claim claim) throws IOException {
    return where(claim.path(), (_, _) -> true).isPresent();
  }

  @Override
  public void signOfLife(List<Claim> shown) {
    // One pool uses a mailbox.
  }

  @Override
  public void showProgress(String path, String words) {
    // Nobody wants a mail for every step.
  }

  private Path archive(Claim claim) {
    return kept.resolve(claim.id() + ".zip");
  }

  @Override
  public ResultTarget results(Claim claim) throws IOException {
    return new MailResults(archive(claim));
  }

  @Override
  public void showEnd(Claim claim, byte[] content, String cause) throws IOException {
    where(
        claim.path(),
        (folder, letter) -> {
          String file = letter.jobFiles().stream().findFirst().orElse(claim.path());
          if (!letter.message().isSet(Flags.Flag.ANSWERED)) {
            answer.send(letter, claim.id(), file, cause, archive(claim));
            letter.message().setFlag(Flags.Flag.ANSWERED, true);
          }
          mailbox.move(folder, letter.message(), cause.isEmpty() ? DONE : FAILED);
          return true;
        });
    forget(claim);
  }

  @Override
  public void forget(Claim claim) throws IOException {
    Files.deleteIfExists(archive(claim));
  }

  // ---------------------------------------------------------------- the rest

  @Override
  public void awaitChange(long millis) throws InterruptedException {
    Thread.sleep(millis);
  }

  @Override
  public long scanMillis() {
    return pace.scanMillis;
  }

  @Override
  public long soonMillis() {
    return pace.soonMillis;
  }

  @Override
  public void close() {
    mailbox.close();
    try {
      FolderTree.delete(kept);
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(MailPlace.class)
          .debug("{} is left behind: {}", kept, e.getMessage());
    }
  }
}
