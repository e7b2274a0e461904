package dev.imker.server.internal.drop.dav;

import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.place.DropNames;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.NoFiles;
import dev.imker.server.internal.drop.place.ResultTarget;
import dev.imker.server.internal.drop.place.ShownEnd;
import dev.imker.server.internal.drop.place.SignsOfLife;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A drop folder on a WebDAV server. As on a disk, a file is claimed by moving it into a folder that
 * belongs to this server, which only one of many can do.
 */
public final class DavPlace implements DropPlace {
  /** Where places of this kind begin. */
  public static final String PREFIX = "dav:";

  private static final String INBOX = "inbox";
  private static final String RUNNING = "running";
  private static final String RESULTS = "results";
  private static final String SERVERS = ".imker";
  private static final String FILE = "file";
  private static final String SHOWN = "shown";
  private static final String PROGRESS = ".progress.txt";
  private static final String TROUBLE = ".trouble.txt";

  private final URI address;
  private final DavFiles files;
  private final String claims;
  private final Pace pace;
  private final DavSigns signs;
  private final DavPlaced placed;

  /**
   * How long things take.
   *
   * @param lostMillis after how long without a sign of life a server has lost its files
   * @param busyMillis the first pause before something is tried again
   * @param maxSilence how long no byte may move
   */
  public record Pace(
      long soonMillis, long scanMillis, long lostMillis, long busyMillis, Duration maxSilence) {
    /** As patient as usual. */
    public Pace(long soonMillis, long scanMillis, long lostMillis, long busyMillis) {
      this(soonMillis, scanMillis, lostMillis, busyMillis, DavFiles.MAX_SILENCE);
    }

    public static final Pace USUAL = new Pace(2_000, 10_000, SignsOfLife.LOST_MILLIS, 500);
  }

  private DavPlace(URI address, DavFiles files, String server, Pace pace) {
    this.address = address;
    this.files = files;
    this.claims = SERVERS + "/" + server;
    this.pace = pace;
    this.signs = new DavSigns(files, SERVERS, server, pace.lostMillis);
    this.placed = new DavPlaced(files, SERVERS + "/placed");
  }

  /**
   * Opens a folder on a WebDAV server and makes what is missing of it.
   *
   * @param address of the folder
   * @param key a file with {@code NAME:PASSWORD}
   * @param server tells this server from others that use the same folder
   */
  public static DavPlace open(String address, Path key, String server, Pace pace) {
    URI root = DavLogin.address(address);
    DavFiles files = new DavFiles(root, DavLogin.header(key), pace.busyMillis, pace.maxSilence);
    DavPlace place = new DavPlace(root, files, server, pace);
    try {
      for (String name :
          List.of(INBOX, RUNNING, ShownEnd.DONE, ShownEnd.FAILED, RESULTS, place.claims)) {
        files.folders(name);
      }
      if (!files.exists("")) {
        throw new IOException(
            "its server uses another address for it; use exactly the one that it shows");
      }
      return place;
    } catch (IOException e) {
      place.close();
      throw new ImkerException(
          "The folder %s cannot be used: %s. See docs/drop-folder.md, WebDAV."
              .formatted(address, e.getMessage()),
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
    List<Waiting> waiting = new ArrayList<>();
    Map<String, String> unusable = new TreeMap<>();
    for (DavEntry entry : files.entries(INBOX)) {
      try {
        List<DavEntry> found = entry.folder() ? files.entries(entry.path()) : List.of(entry);
        found.forEach(file -> look(file, waiting, unusable));
      } catch (DavFiles.RefusedException e) { // the trouble of this folder alone
        unusable.put(below(entry, INBOX), "This folder cannot be read: " + e.getMessage());
      }
    }
    return new Inbox(waiting, unusable);
  }

  private static void look(DavEntry file, List<Waiting> waiting, Map<String, String> unusable) {
    if (file.folder() || !DropNames.isJobFile(file.name())) {
      return;
    }
    String why = DropNames.whyUnusable(file.name(), file.size());
    if (why.isEmpty()) {
      waiting.add(new Waiting(below(file, INBOX), file.size() + " " + file.tag()));
    } else {
      unusable.put(below(file, INBOX), why);
    }
  }

  private static String below(DavEntry entry, String folder) {
    return entry.path().substring(folder.length() + 1);
  }

  private String folderOf(String id) {
    return claims + "/" + id;
  }

  private String claimed(Claim claim) {
    return folderOf(claim.id()) + "/" + FILE + "/" + claim.path();
  }

  /** Tells that a running file is this server's. */
  private String mark(Claim claim) {
    return folderOf(claim.id()) + "/" + SHOWN + "/" + claim.path();
  }

  @Override
  public boolean claim(String id, Waiting file) throws IOException {
    Claim claim = new Claim(id, file.path());
    files.folders(DavFiles.parent(claimed(claim)));
    try {
      files.move(INBOX + "/" + file.path(), claimed(claim));
    } catch (FileNotFoundException e) {
      if (!files.exists(claimed(claim))) { // it may have been moved, with another answer
        files.delete(folderOf(id));
        return false;
      }
    }
    Optional<DavEntry> claimed = files.stat(claimed(claim));
    if (claimed.isEmpty() || !isAsLarge(claimed.get(), file)) {
      giveBack(claim);
      return false;
    }
    return true;
  }

  /** Its tag may be another one after a move; and what is read is what counts. */
  private static boolean isAsLarge(DavEntry claimed, Waiting file) {
    return file.stamp().startsWith(claimed.size() + " ");
  }

  @Override
  public List<Claim> claims() throws IOException {
    List<Claim> all = new ArrayList<>();
    for (DavEntry folder : files.entries(claims)) {
      if (folder.folder()) {
        String file = folder.path() + "/" + FILE;
        for (DavEntry found : files.files(file)) {
          all.add(new Claim(folder.name(), below(found, file)));
        }
      }
    }
    return all;
  }

  @Override
  public Optional<byte[]> read(Claim claim) throws IOException {
    Optional<DavEntry> before = files.stat(claimed(claim));
    byte[] content = files.read(claimed(claim));
    return files.stat(claimed(claim)).equals(before) ? Optional.of(content) : Optional.empty();
  }

  @Override
  public void giveBack(Claim claim) throws IOException {
    boolean free =
        !files.exists(claimed(claim)) || files.move(claimed(claim), INBOX + "/" + claim.path());
    if (free) { // else a newer one has come; this one is taken as it is next time
      forget(claim);
    }
  }

  @Override
  public JobFiles files(String path) {
    return new NoFiles("WebDAV");
  }

  // ---------------------------------------------------------------- showing

  @Override
  public Showing showRunning(Claim claim) throws IOException {
    String target = RUNNING + "/" + claim.path();
    if (!files.exists(claimed(claim))) {
      return files.exists(target) ? Showing.SHOWN : Showing.GONE;
    }
    files.write(mark(claim), new byte[0]);
    if (files.move(claimed(claim), target)) {
      placed.remove(INBOX + "/" + claim.path() + TROUBLE); // also what was told before a restart
      return Showing.SHOWN;
    }
    files.delete(mark(claim));
    return Showing.OCCUPIED;
  }

  @Override
  public void release(Claim claim) throws IOException {
    files.delete(folderOf(claim.id()) + "/" + FILE);
  }

  @Override
  public boolean isRunning(String path) throws IOException {
    return files.exists(RUNNING + "/" + path);
  }

  @Override
  public boolean has(Claim claim) throws IOException {
    return files.exists(mark(claim)) || files.exists(claimed(claim));
  }

  @Override
  public void signOfLife(List<Claim> shown) throws IOException {
    for (String lost : signs.exchange()) {
      for (DavEntry folder : files.entries(lost)) {
        if (folder.folder()) {
          takeBack(folder.path());
        }
      }
    }
  }

  /** Puts what a lost server had into the inbox; several servers may try that at a time. */
  private void takeBack(String folder) throws IOException {
    String file = folder + "/" + FILE;
    for (DavEntry found : files.files(file)) {
      takeBack(found.path(), below(found, file));
    }
    String shown = folder + "/" + SHOWN;
    for (DavEntry found : files.files(shown)) {
      String path = below(found, shown);
      // Whoever removes the mark has the file.
      if (files.delete(found.path()) && takeBack(RUNNING + "/" + path, path)) {
        placed.remove(RUNNING + "/" + path + PROGRESS);
      }
    }
    files.delete(folder);
  }

  /**
   * Claims a file of a lost server, which only one of many can do, and gives it back; false if
   * somebody else has it.
   */
  private boolean takeBack(String file, String path) throws IOException {
    Claim claim = new Claim(UUID.randomUUID().toString(), path);
    files.folders(DavFiles.parent(claimed(claim)));
    try {
      files.move(file, claimed(claim));
    } catch (FileNotFoundException e) {
      if (!files.exists(claimed(claim))) {
        forget(claim);
        return false;
      }
    }
    giveBack(claim);
    return true;
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
    if (words.isEmpty()) {
      placed.remove(RUNNING + "/" + path + PROGRESS);
      placed.remove(RUNNING + "/" + path + TROUBLE);
    } else if (isRunning(path)) {
      placed.write(RUNNING + "/" + path + PROGRESS, line(words));
    }
  }

  @Override
  public void showTrouble(String path, String words) throws IOException {
    boolean running = isRunning(path);
    for (String part : List.of(INBOX, RUNNING)) {
      String file = part + "/" + path + TROUBLE;
      if (words.isEmpty() || part.equals(RUNNING) != running) {
        placed.remove(file);
      } else {
        placed.write(file, line(words));
      }
    }
  }

  private static byte[] line(String words) {
    return (words + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public ResultTarget results(Claim claim) throws IOException {
    String folder = DavFiles.parent(RESULTS + "/" + claim.path());
    return new DavResults(files, folderOf(claim.id()), folder, claim.path());
  }

  @Override
  public void showEnd(Claim claim, byte[] content, String cause) throws IOException {
    boolean moved = !files.exists(claimed(claim)) && !isRunning(claim.path());
    ShownEnd.show(
        claim.path(), content, cause, moved, placed, target -> move(claim, target, content));
    showProgress(claim.path(), "");
    forget(claim);
  }

  private void move(Claim claim, String target, byte[] content) throws IOException {
    String running = RUNNING + "/" + claim.path();
    if (files.exists(claimed(claim))) {
      placed.move(claimed(claim), target);
    } else if (files.exists(running)) {
      placed.move(running, target);
    } else if (!files.exists(target)) {
      placed.write(target, content);
    }
  }

  @Override
  public void forget(Claim claim) throws IOException {
    files.delete(folderOf(claim.id()));
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
    files.close();
  }
}
