package dev.imker.server.internal.drop.drive;

import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.util.Data;
import com.google.api.services.drive.model.File;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.place.DropNames;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.NoFiles;
import dev.imker.server.internal.drop.place.ResultTarget;
import dev.imker.server.internal.drop.place.SignsOfLife;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A drop folder on Google Drive. A claim is a mark on the file, which people do not see; tickets
 * tell which of several servers may make it.
 */
public final class DrivePlace implements DropPlace {
  /** Where places of this kind begin. */
  public static final String PREFIX = "drive:";

  static final String SERVER = "imkerServer";
  private static final String ITEM = "imkerItem";

  /** Begins a mark that tells that another server has taken the file over. */
  private static final String TAKEN = "taken-";

  private static final String TICKETS = ".imker";
  private static final String CAUSE = ".txt";
  private static final String TEXT = "text/plain";
  private static final long SCAN_MILLIS = 15_000;
  private static final long SOON_MILLIS = 5_000;

  private final DriveFiles files;
  private final DriveSheets sheets;
  private final String root;
  private final String server;
  private final Pace pace;
  private final DriveSigns signs;
  private final DriveTickets tickets;
  private final Map<String, String> folders = new HashMap<>();
  private Map<String, File> seen = new HashMap<>();

  /**
   * How long things take.
   *
   * @param claimMillis after how long all servers see a ticket
   * @param lostMillis after how long without a sign of life a server has lost its files
   * @param busyMillis the first pause before something is tried again that Google had no time for
   */
  public record Pace(
      long claimMillis, long soonMillis, long scanMillis, long lostMillis, int busyMillis) {
    public static final Pace USUAL =
        new Pace(1_500, SOON_MILLIS, SCAN_MILLIS, SignsOfLife.LOST_MILLIS, 500);
  }

  private DrivePlace(DriveFiles files, DriveSheets sheets, String root, String server, Pace pace)
      throws IOException {
    this.files = files;
    this.sheets = sheets;
    this.root = root;
    this.server = server;
    this.pace = pace;
    for (State state : State.values()) {
      folder(state, "");
    }
    this.signs = new DriveSigns(files, folder(State.RUNNING, ""), server, pace.lostMillis);
    this.tickets = new DriveTickets(files, files.folder(root, TICKETS), server, pace.claimMillis);
  }

  /**
   * Opens a folder on Drive and makes what is missing in it.
   *
   * @param folder its id: the last part of its address in a browser
   * @param key the key of a service account that the folder is shared with
   */
  public static DrivePlace open(
      String folder, Path key, String server, GoogleRoots roots, Pace pace) {
    GoogleServices services = GoogleServices.open(key, roots, pace.busyMillis);
    DriveFiles files = new DriveFiles(services);
    try {
      return new DrivePlace(files, new DriveSheets(services, files), folder, server, pace);
    } catch (IOException e) {
      throw new ImkerException(
          "The folder %s on Google Drive cannot be used: %s. Share it with the service account, as an editor."
              .formatted(folder, e.getMessage()),
          e);
    }
  }

  private enum State {
    INBOX,
    RUNNING,
    DONE,
    FAILED,
    RESULTS
  }

  /** The id of a folder, or of that of a project in it; made if need be. */
  private String folder(State state, String project) throws IOException {
    String key = state + "/" + project;
    String known = folders.get(key);
    if (known == null) {
      String name = state.name().toLowerCase(java.util.Locale.ROOT);
      String outer = project.isEmpty() ? root : folder(state, "");
      known = files.folder(outer, project.isEmpty() ? name : project);
      folders.put(key, known);
    }
    return known;
  }

  private String folderOf(State state, String path) throws IOException {
    return folder(state, DropNames.project(path));
  }

  @Override
  public String name() {
    return PREFIX + root;
  }

  // ---------------------------------------------------------------- taking

  @Override
  public Inbox inbox() throws IOException {
    Map<String, File> now = new HashMap<>();
    List<Waiting> waiting = new ArrayList<>();
    Map<String, String> unusable = new TreeMap<>();
    String inbox = folder(State.INBOX, "");
    for (File file : files.in(inbox)) {
      if (file.getMimeType().equals(DriveFiles.FOLDER)) {
        String project = plain(file.getName());
        folders.put(State.INBOX + "/" + project, file.getId());
        for (File inside : files.in(file.getId())) {
          add(inside, project + "/", now, waiting, unusable);
        }
      } else {
        add(file, "", now, waiting, unusable);
      }
    }
    seen = now;
    return new Inbox(waiting, unusable);
  }

  private static void add(
      File file,
      String prefix,
      Map<String, File> now,
      List<Waiting> waiting,
      Map<String, String> unusable) {
    String path = prefix + plain(file.getName());
    boolean job =
        file.getMimeType().equals(DriveFiles.DOCUMENT) || DropNames.isJobFile(file.getName());
    if (job && DriveFiles.property(file, SERVER).isEmpty() && now.putIfAbsent(path, file) == null) {
      String why = DropNames.whyUnusable("", file.getSize() == null ? 0 : file.getSize());
      if (why.isEmpty()) {
        waiting.add(new Waiting(path, stamp(file)));
      } else {
        unusable.put(path, why);
      }
    }
  }

  private static String plain(String name) {
    return name.replace('/', '-').replace('\\', '-');
  }

  private static String stamp(File file) {
    return file.getId() + " " + file.getModifiedTime() + " " + file.getMd5Checksum();
  }

  @Override
  public boolean claim(String id, Waiting file) throws IOException {
    File known = seen.get(file.path());
    return known != null
        && isFree(known.getId(), file)
        && tickets.take(known.getId(), () -> mark(known.getId(), id, file));
  }

  private boolean isFree(String id, Waiting file) throws IOException {
    Optional<File> now = files.get(id);
    return now.isPresent()
        && stamp(now.get()).equals(file.stamp())
        && DriveFiles.property(now.get(), SERVER).isEmpty()
        && DriveFiles.isIn(now.get(), folderOf(State.INBOX, file.path()));
  }

  private boolean mark(String id, String item, Waiting file) throws IOException {
    boolean free = isFree(id, file);
    if (free) {
      files.mark(id, Map.of(SERVER, server, ITEM, item));
    }
    return free;
  }

  @Override
  public List<Claim> claims() throws IOException {
    List<Claim> claims = new ArrayList<>();
    for (File file : files.query(marked(SERVER, server))) {
      path(file).ifPresent(path -> claims.add(new Claim(DriveFiles.property(file, ITEM), path)));
    }
    return claims;
  }

  /** Where a file waits or is shown as running; empty if it does neither here. */
  private Optional<String> path(File file) throws IOException {
    for (State state : List.of(State.INBOX, State.RUNNING)) {
      if (DriveFiles.isIn(file, folder(state, ""))) {
        return Optional.of(plain(file.getName()));
      }
      for (File project : files.in(folder(state, ""))) {
        if (DriveFiles.isIn(file, project.getId())) {
          return Optional.of(plain(project.getName()) + "/" + plain(file.getName()));
        }
      }
    }
    return Optional.empty();
  }

  private static String marked(String key, String value) {
    return "appProperties has { key=%s and value=%s }"
        .formatted(DriveFiles.quoted(key), DriveFiles.quoted(value));
  }

  private Optional<File> file(Claim claim) throws IOException {
    return files.query(marked(ITEM, claim.id())).stream().findFirst();
  }

  @Override
  public Optional<byte[]> read(Claim claim) throws IOException {
    Optional<File> before = file(claim);
    if (before.isEmpty()) {
      return Optional.empty();
    }
    byte[] content = files.content(before.get());
    boolean same = file(claim).map(DrivePlace::stamp).equals(before.map(DrivePlace::stamp));
    return same ? Optional.of(content) : Optional.empty();
  }

  @Override
  public void giveBack(Claim claim) throws IOException {
    forget(claim);
  }

  @Override
  public JobFiles files(String path) {
    return new NoFiles("Drive");
  }

  // ---------------------------------------------------------------- showing

  @Override
  public Showing showRunning(Claim claim) throws IOException {
    Optional<File> file = file(claim);
    String running = folderOf(State.RUNNING, claim.path());
    if (file.isEmpty()) {
      return Showing.GONE;
    }
    if (DriveFiles.isIn(file.get(), running)) {
      return Showing.SHOWN;
    }
    if (!DriveFiles.isIn(file.get(), folderOf(State.INBOX, claim.path()))) {
      return Showing.GONE;
    }
    if (isRunning(claim.path())) {
      return Showing.OCCUPIED;
    }
    files.move(file.get(), running, new File());
    return Showing.SHOWN;
  }

  @Override
  public void release(Claim claim) {
    // The mark stays: it tells which file is meant.
  }

  @Override
  public boolean isRunning(String path) throws IOException {
    return !named(State.RUNNING, path).isEmpty();
  }

  /** By its mark: a list in pages misses files when others are moved out of it meanwhile. */
  @Override
  public boolean isStillRunning(Claim claim) throws IOException {
    Optional<File> file = file(claim);
    return file.isPresent() && DriveFiles.isIn(file.get(), folderOf(State.RUNNING, claim.path()));
  }

  @Override
  public boolean has(Claim claim) throws IOException {
    return files.query(marked(TAKEN + claim.id(), DriveFiles.YES)).isEmpty();
  }

  @Override
  public void signOfLife(List<Claim> shown) throws IOException {
    for (String lost : signs.exchange()) {
      for (File file : files.query(marked(SERVER, lost))) {
        Optional<String> path = path(file);
        if (path.isPresent()) {
          takeBack(file, path.get(), lost);
        } else if (tickets.has(file)) {
          files.trash(file);
        }
      }
      signs.forget(lost);
    }
  }

  /** Puts what a lost server had into the inbox; several servers may try that at a time. */
  private void takeBack(File file, String path, String lost) throws IOException {
    Optional<File> now =
        files.get(file.getId()).filter(f -> DriveFiles.property(f, SERVER).equals(lost));
    if (now.isPresent()) {
      files.say(now.get(), "");
      File change = unmarked();
      change.getAppProperties().put(TAKEN + DriveFiles.property(now.get(), ITEM), DriveFiles.YES);
      files.move(now.get(), folderOf(State.INBOX, path), change);
    }
  }

  private List<File> named(State state, String path) throws IOException {
    String name = DropNames.name(path);
    return files.in(folderOf(state, path)).stream()
        .filter(file -> plain(file.getName()).equals(name))
        .toList();
  }

  @Override
  public void giveSign() throws IOException {
    signs.giveAgain();
  }

  @Override
  public long signMillis() {
    return signs.everyMillis();
  }

  @Override
  public void showProgress(String path, String words) throws IOException {
    for (File file : named(State.RUNNING, path)) {
      files.say(file, words);
    }
  }

  @Override
  public void showTrouble(String path, String words) throws IOException {
    for (File file : named(isRunning(path) ? State.RUNNING : State.INBOX, path)) {
      files.say(file, words);
    }
  }

  @Override
  public ResultTarget results(Claim claim) throws IOException {
    return new DriveResults(files, sheets, folderOf(State.RESULTS, claim.path()), claim.path());
  }

  @Override
  public void showEnd(Claim claim, byte[] content, String cause) throws IOException {
    State state = cause.isEmpty() ? State.DONE : State.FAILED;
    if (!cause.isEmpty()) {
      writeCause(claim, cause);
    }
    Optional<File> file = file(claim);
    String target = folderOf(state, claim.path());
    if (file.isPresent()) {
      files.say(file.get(), "");
      files.move(file.get(), target, unmarked());
    } else if (named(state, claim.path()).isEmpty()) {
      files.create(target, DropNames.name(claim.path()), TEXT, new ByteArrayContent(TEXT, content));
    }
    if (cause.isEmpty()) {
      for (File older : causes(claim)) {
        files.trash(older);
      }
    }
  }

  /** What was told of earlier failures of this name. */
  private List<File> causes(Claim claim) throws IOException {
    return named(State.FAILED, claim.path() + CAUSE).stream().filter(DriveFiles::isOurs).toList();
  }

  private void writeCause(Claim claim, String cause) throws IOException {
    ByteArrayContent text =
        new ByteArrayContent(TEXT, (cause + "\n").getBytes(StandardCharsets.UTF_8));
    List<File> present = causes(claim);
    if (present.isEmpty()) {
      files.create(
          folderOf(State.FAILED, claim.path()), DropNames.name(claim.path()) + CAUSE, TEXT, text);
    } else {
      files.write(present.getFirst().getId(), text);
    }
  }

  private static File unmarked() {
    Map<String, String> none = new HashMap<>();
    none.put(SERVER, Data.NULL_STRING);
    none.put(ITEM, Data.NULL_STRING);
    return new File().setAppProperties(none);
  }

  @Override
  public void forget(Claim claim) throws IOException {
    for (File file : files.query(marked(ITEM, claim.id()))) {
      files.update(file.getId(), unmarked());
    }
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
  public void close() {}
}
