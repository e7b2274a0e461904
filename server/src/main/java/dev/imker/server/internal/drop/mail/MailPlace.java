package dev.imker.server.internal.drop.mail;

import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.ImkerException;
import dev.imker.model.text.SafeText;
import dev.imker.server.internal.drop.place.DropNames;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.FolderTree;
import dev.imker.server.internal.drop.place.ResultTarget;
import jakarta.mail.Folder;
import jakarta.mail.MessagingException;
import jakarta.mail.UIDFolder;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

  private static final Logger LOG = LoggerFactory.getLogger(MailPlace.class);
  private static final String INBOX = Mailbox.INBOX;
  private static final String RUNNING = "running";
  private static final String DONE = "done";
  private static final String FAILED = "failed";
  private static final String REFUSED = "refused";
  private static final int MAX_SHOWN_CHARS = 80;

  private final URI address;
  private final MailKey key;
  private final Mailbox mailbox;
  private final MailAnswer answer;
  private final Pace pace;
  private final Path kept;
  private final Map<String, List<String>> jobFiles = new HashMap<>();
  private final Set<String> answered = new HashSet<>();
  private int refused;
  private String lastRefused = "";

  /**
   * How long things take, and how much a mail may bring.
   *
   * @param maxBytes of the archive in an answer; a third more of it goes over the network, and
   *     usual mail servers take 10 MB
   */
  public record Pace(long soonMillis, long scanMillis, long maxBytes) {
    public static final Pace USUAL = new Pace(5_000, 15_000, 7L << 20);
  }

  private MailPlace(URI address, MailKey key, Pace pace) throws IOException {
    this.address = address;
    this.key = key;
    this.mailbox = new Mailbox(address, key);
    this.answer = new MailAnswer(key);
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
      try {
        for (String folder : List.of(INBOX, RUNNING, DONE, FAILED, REFUSED)) {
          place.mailbox.in(folder, Folder::getMessageCount);
        }
        return place;
      } catch (IOException e) {
        place.close();
        throw e;
      }
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
    return mailbox.in(INBOX, this::inbox);
  }

  private Inbox inbox(Folder folder) throws MessagingException, IOException {
    Map<String, Waiting> waiting = new TreeMap<>();
    Map<String, String> unusable = new TreeMap<>();
    List<Letter> forged = new ArrayList<>();
    Set<String> present = new HashSet<>();
    for (Letter letter : mailbox.letters(INBOX, folder)) {
      if (letter.head().automatic()) {
        continue;
      }
      if (!isProven(letter)) { // before anything else of it is looked at
        forged.add(letter);
        continue;
      }
      String stamp = stamp(folder, letter);
      present.add(stamp);
      try {
        look(folder, letter, stamp, waiting);
      } catch (MessagingException e) {
        Mailbox.requireConnection(e);
        unusable.put(shown(letter), "This mail cannot be read: " + e.getMessage());
      } catch (IOException | RuntimeException | StackOverflowError e) {
        unusable.put(shown(letter), "This mail cannot be read: " + e);
      }
    }
    jobFiles.keySet().retainAll(present);
    refuse(folder, forged, key.verifiedBy() + " does not confirm its sender");
    if (refused > 0) {
      String words = "%d received since the start; the last: %s".formatted(refused, lastRefused);
      unusable.put("Imker/" + REFUSED, words);
    }
    return new Inbox(new ArrayList<>(waiting.values()), unusable);
  }

  private boolean isProven(Letter letter) {
    return key.verifiedBy().equals(MailKey.NONE) || letter.head().isProvenBy(key.verifiedBy());
  }

  private static String stamp(Folder folder, Letter letter) throws MessagingException {
    UIDFolder numbers = (UIDFolder) folder;
    return numbers.getUIDValidity() + " " + numbers.getUID(letter.message());
  }

  private static String shown(Letter letter) {
    return "mail '%s' from %s"
        .formatted(
            SafeText.line(letter.head().subject(), MAX_SHOWN_CHARS),
            SafeText.line(letter.head().sender(), MAX_SHOWN_CHARS));
  }

  private void look(Folder folder, Letter letter, String stamp, Map<String, Waiting> waiting)
      throws MessagingException, IOException {
    List<String> files = jobFiles.get(stamp);
    if (files == null) {
      files = letter.jobFiles();
      jobFiles.put(stamp, files);
    }
    if (files.size() == 1) {
      String path = path(files.getFirst(), letter.head().hash());
      waiting.putIfAbsent(path, new Waiting(path, stamp));
    } else {
      tellThatUseless(folder, letter, files.size());
    }
  }

  /** At most once: better no word than one for every look. */
  private void tellThatUseless(Folder folder, Letter letter, int count)
      throws MessagingException, IOException {
    String why =
        "This mail has %s attached (.yaml, .yml or .tsv); attach exactly one."
            .formatted(count == 0 ? "no job file" : count + " job files");
    mailbox.move(INBOX, folder, List.of(letter), FAILED);
    LOG.info("{} in {}: {}", shown(letter), name(), why);
    try {
      String subject = letter.head().subject();
      answer.send(letter.head(), letter.head().hash(), subject, why, kept.resolve("none"));
    } catch (MessagingException e) {
      LOG.warn("Cannot reply to {}: {}", shown(letter), e.getMessage());
    }
  }

  /** Puts mails aside, so that they are not looked at again and again. */
  private void refuse(Folder folder, List<Letter> letters, String why) throws MessagingException {
    if (letters.isEmpty()) {
      return;
    }
    mailbox.move(INBOX, folder, letters, REFUSED);
    refused += letters.size();
    lastRefused = shown(letters.getLast()) + ": " + why + ".";
    LOG.warn("Rejecting mails in {}, {}; the last: {}", name(), letters.size(), lastRefused);
  }

  /** The path of a mail's only job file: its name, and what tells this mail from others. */
  private static String path(String jobFile, String hash) {
    String start = DropNames.withoutExtension(jobFile);
    return start + "-" + hash + jobFile.substring(start.length());
  }

  private static String hash(String path) {
    String start = DropNames.withoutExtension(path);
    return start.substring(Math.max(0, start.length() - LetterHead.HASH_DIGITS));
  }

  /** As its sender named it. */
  private static String fileOf(String path) {
    String start = DropNames.withoutExtension(path);
    return start.substring(0, Math.max(0, start.length() - LetterHead.HASH_DIGITS - 1))
        + path.substring(start.length());
  }

  /** A mail that came twice runs once. Whoever wants it again takes it out of where it lies. */
  @Override
  public boolean claim(String id, Waiting file) throws IOException {
    String hash = hash(file.path());
    Optional<LetterHead> head =
        mailbox.in(
            INBOX,
            folder -> mailbox.find(INBOX, folder, hash).stream().map(Letter::head).findFirst());
    if (head.isEmpty()) {
      return false;
    }
    for (String ended : List.of(DONE, FAILED)) {
      if (mailbox.hasAmongMany(ended, head.get())) {
        mailbox.in(
            INBOX,
            folder -> {
              String why = "the same mail is in Imker/" + ended + ", it was delivered twice";
              refuse(folder, mailbox.find(INBOX, folder, hash), why);
              return true;
            });
        return false;
      }
    }
    return true;
  }

  @Override
  public List<Claim> claims() {
    return List.of(); // a mail stays in the inbox until the database has it
  }

  @Override
  public Optional<byte[]> read(Claim claim) throws IOException {
    return where(claim.path(), Letter::job);
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
          letter -> {
            letter.unpack(folder);
            return true;
          });
    } catch (IOException e) {
      throw new ImkerException("Cannot read the attachment: " + e.getMessage(), e);
    }
    return JobFiles.inside(folder);
  }

  /** Something that is done with a mail. */
  @FunctionalInterface
  private interface With<T> {
    T mail(Letter letter) throws MessagingException, IOException;
  }

  /** Does something with the mail of this path, if it is in running or in the inbox. */
  private <T> Optional<T> where(String path, With<T> with) throws IOException {
    String hash = hash(path);
    for (String part : List.of(RUNNING, INBOX)) {
      if (mailbox.has(part, hash)) {
        Optional<T> result =
            mailbox.in(
                part,
                folder -> {
                  List<Letter> letters = mailbox.find(part, folder, hash);
                  return letters.isEmpty()
                      ? Optional.empty()
                      : Optional.of(with.mail(letters.getFirst()));
                });
        if (result.isPresent()) {
          return result;
        }
      }
    }
    return Optional.empty();
  }

  /** Moves a mail, and what is the same one; false if there is none. */
  private boolean move(String from, String path, String target) throws IOException {
    String hash = hash(path);
    return mailbox.has(from, hash)
        && mailbox.in(
            from,
            folder -> {
              List<Letter> all = mailbox.find(from, folder, hash);
              mailbox.move(from, folder, all, target);
              return !all.isEmpty();
            });
  }

  // ---------------------------------------------------------------- showing

  @Override
  public Showing showRunning(Claim claim) throws IOException {
    boolean moved = move(INBOX, claim.path(), RUNNING);
    return moved || isRunning(claim.path()) ? Showing.SHOWN : Showing.GONE;
  }

  @Override
  public void release(Claim claim) {
    // Nothing was claimed.
  }

  @Override
  public boolean isRunning(String path) throws IOException {
    return mailbox.has(RUNNING, hash(path));
  }

  @Override
  public boolean has(Claim claim) throws IOException {
    return isRunning(claim.path()) || mailbox.has(INBOX, hash(claim.path()));
  }

  @Override
  public void signOfLife(List<Claim> shown) {
    mailbox.beginTurn(); // one pool uses a mailbox: there is nobody to give a sign to
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
    return Files.exists(archive(claim))
        ? new Gathered()
        : new MailResults(archive(claim), pace.maxBytes);
  }

  @Override
  public void showEnd(Claim claim, byte[] content, String cause) throws IOException {
    where(
        claim.path(),
        letter -> {
          if (!answered.contains(claim.id())) {
            answer.send(letter.head(), claim.id(), fileOf(claim.path()), cause, archive(claim));
            answered.add(claim.id());
          }
          return true;
        });
    String target = cause.isEmpty() ? DONE : FAILED;
    move(RUNNING, claim.path(), target);
    move(INBOX, claim.path(), target);
    forget(claim);
  }

  /** The results are there already, and wait for an answer to be sent. */
  private record Gathered() implements ResultTarget {
    @Override
    public void put(String path, InputStream content, boolean executable) {}

    @Override
    public void finish() {}

    @Override
    public void close() {}
  }

  @Override
  public void forget(Claim claim) throws IOException {
    answered.remove(claim.id());
    Files.deleteIfExists(archive(claim));
  }

  // ---------------------------------------------------------------- the rest

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
      LOG.debug("{} is left behind: {}", kept, e.getMessage());
    }
  }
}
