package dev.imker.server.drop;

import dev.imker.model.ImkerException;
import dev.imker.model.account.DropItem;
import dev.imker.model.change.DropItemPut;
import dev.imker.server.commands.Await;
import dev.imker.server.http.Json;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.data.PoolDataSets;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.rest.jobs.JobIntake;
import dev.imker.server.loop.NotLeadingException;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.PoolStore;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The drop folders of a server: those named at its start, and those added since and kept. */
public final class DropFolders implements AutoCloseable {
  private static final String KEPT = "drop.folder.";
  private static final String SERVER = "drop.server";

  public record Parts(
      SchedulerLoop loop,
      PoolStore store,
      BlobStore blobs,
      JobIntake intake,
      PoolDataSets dataSets,
      Accounts accounts,
      Clock clock) {}

  /**
   * A drop folder as it was added.
   *
   * @param place a folder, {@code drive:ID} for one on Google Drive, {@code dav:ADDRESS} for one on
   *     a WebDAV server, {@code mail:ADDRESS} for a mailbox
   * @param user whose jobs its files become
   * @param key file with the key of a service account, for Google Drive, or with a name and a
   *     password, for WebDAV, or who may use a mailbox; else empty
   */
  public record Added(String place, String user, String key) {}

  /**
   * A drop folder that is watched.
   *
   * @param kept whether it is watched again after a restart
   * @param trouble why it cannot be worked on at the moment; else empty
   * @param open files that are being worked on
   */
  public record Watched(
      int number, String place, String user, boolean kept, String trouble, int open) {}

  private record Entry(Added added, boolean kept, DropThread thread) {}

  private final Parts parts;
  private final PlaceOpener opener;
  private final DropLedger ledger;
  private final long quietMillis;
  private final Map<Integer, Entry> entries = new TreeMap<>();

  /** Which of them has a place, by its name. */
  private final Map<String, Integer> watchedBy = new ConcurrentHashMap<>();

  public DropFolders(Parts parts, PlaceOpener opener, long quietMillis) {
    this.parts = parts;
    this.opener = opener;
    this.quietMillis = quietMillis;
    this.ledger = ledger(parts);
  }

  private static DropLedger ledger(Parts parts) {
    return new DropLedger() {
      @Override
      public Optional<DropItem> item(String id) {
        return parts.store.drops().item(id);
      }

      @Override
      public List<DropItem> open(String folder) {
        return parts.store.drops().open(folder);
      }

      @Override
      public void put(DropItem item) throws InterruptedException {
        Await.answer(parts.loop.record(List.of(new DropItemPut(item))));
      }
    };
  }

  /**
   * Tells mistakes of whoever named folders of this machine.
   *
   * @throws ImkerException saying why one of them cannot be used
   */
  public void requireUsable(List<Added> named) {
    for (Added added : named) {
      requireUser(added.user);
      if (PlaceOpener.isOfThisMachine(added)) {
        opener.open(added, serverName()).close();
      }
    }
  }

  /**
   * Starts with the kept folders and these. One that cannot be opened yet is tried again and again,
   * and its trouble is told.
   */
  public synchronized void start(List<Added> named) {
    String server = serverName();
    parts
        .store
        .settings(KEPT)
        .forEach(
            (name, json) -> {
              if (!json.isEmpty()) {
                int number = Integer.parseInt(name.substring(KEPT.length()));
                watch(number, read(json), true, server);
              }
            });
    named.forEach(added -> watch(freeNumber(), added, false, server));
  }

  private void watch(int number, Added added, boolean kept, String server) {
    watch(number, added, kept, added.place, () -> alone(number, open(added, server)));
  }

  /** Two threads on one place would do everything twice. */
  private DropPlace alone(int number, DropPlace place) {
    Integer other = watchedBy.putIfAbsent(place.name(), number);
    if (other != null && other != number) {
      place.close();
      throw new ImkerException("The drop folder " + place.name() + " is already being watched.");
    }
    return place;
  }

  private static Added read(String json) {
    try {
      return Json.MAPPER.readValue(json, Added.class);
    } catch (IOException e) {
      throw new ImkerException("A saved drop folder cannot be read: " + e.getMessage(), e);
    }
  }

  private static String write(Added added) {
    try {
      return Json.MAPPER.writeValueAsString(added);
    } catch (IOException e) {
      throw new ImkerException("Cannot save a drop folder: " + e.getMessage(), e);
    }
  }

  private int freeNumber() {
    int number = 1;
    while (entries.containsKey(number)
        || !parts.store.setting(KEPT + number).orElse("").isEmpty()) {
      number++;
    }
    return number;
  }

  private DropPlace open(Added added, String server) {
    requireUser(added.user);
    return new FencedPlace(opener.open(added, server), this::requireLead);
  }

  private Watched watch(
      int number, Added added, boolean kept, String name, DropThread.Opening opening) {
    PoolWork work = new PoolWork(parts, added.user);
    DropThread thread =
        new DropThread(
            name, opening, place -> new DropKeeper(place, ledger, work, parts.clock, quietMillis));
    Entry entry = new Entry(added, kept, thread);
    entries.put(number, entry);
    thread.start();
    return view(number, entry);
  }

  /** The loop of a server that stood still does not know yet that another one leads. */
  private void requireLead() {
    SchedulerLoop loop = parts.loop;
    if (!loop.isLeading() || (!parts.store.hasOneWriter() && parts.store.epoch() != loop.epoch())) {
      throw new NotLeadingException();
    }
  }

  private void requireUser(String user) {
    if (!user.equals(Identity.ADMIN_NAME) && parts.accounts.usable(user).isEmpty()) {
      throw new ImkerException("There is no user " + user + ".");
    }
  }

  /** Tells this server from others that use the same folder; as old as the database. */
  private synchronized String serverName() {
    Optional<String> known = parts.store.setting(SERVER);
    if (known.isPresent()) {
      return known.get();
    }
    String fresh = UUID.randomUUID().toString();
    parts.store.putSetting(SERVER, fresh);
    return fresh;
  }

  /** Watches a folder from now on, also after a restart. */
  public Watched add(Added added) {
    DropPlace place = open(added, serverName()); // which may take its time, and nobody waits for it
    synchronized (this) {
      int number = freeNumber();
      alone(number, place);
      Watched watched = watch(number, added, true, place.name(), () -> place);
      parts.store.putSetting(KEPT + number, write(added));
      return watched;
    }
  }

  /** Watches a folder no longer; its jobs go on. False if there is no such folder. */
  public boolean remove(int number) {
    Entry entry;
    synchronized (this) {
      entry = entries.get(number);
      if (entry == null) {
        return false;
      }
      if (entry.kept) {
        parts.store.putSetting(KEPT + number, "");
      }
    }
    end(number, entry); // which may take its time, and nobody waits for it
    return true;
  }

  private void end(int number, Entry entry) {
    entry.thread.close();
    synchronized (this) { // only now another one may have its number and its place
      entries.remove(number, entry);
      watchedBy.values().removeIf(watching -> watching == number);
    }
  }

  public synchronized List<Watched> list() {
    List<Watched> all = new ArrayList<>();
    entries.forEach((number, entry) -> all.add(view(number, entry)));
    return all;
  }

  private Watched view(int number, Entry entry) {
    return new Watched(
        number,
        entry.thread.name(),
        entry.added.user,
        entry.kept,
        entry.thread.trouble(),
        parts.store.drops().open(entry.thread.name()).size());
  }

  /** Files of a folder, newest first; null if there is no such folder. */
  public synchronized @Nullable List<DropItem> items(int number, int limit) {
    Entry entry = entries.get(number);
    return entry == null ? null : parts.store.drops().newest(entry.thread.name(), limit);
  }

  @Override
  public void close() {
    Map<Integer, Entry> all;
    synchronized (this) {
      all = new TreeMap<>(entries);
    }
    all.forEach(this::end);
  }
}
