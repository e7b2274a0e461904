package dev.imker.server.drop;

import dev.imker.server.internal.drop.place.DropPlace;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Why single files of a drop folder cannot be processed, and when each is retried. */
final class FileTroubles {
  private static final Logger LOG = LoggerFactory.getLogger(FileTroubles.class);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int MAX_NAMED = 3;

  private final Map<String, String> met = new TreeMap<>();
  private final Map<String, Long> metNanos = new HashMap<>();
  private Map<String, String> unusable = Map.of();
  private Map<String, String> shown = new HashMap<>();

  /** What an error means to the person who put the file there. */
  static String words(Exception e) {
    if (e instanceof AccessDeniedException denied) {
      return "The server may not access " + denied.getFile() + ". Change its permissions.";
    }
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getFile() + ": " + file.getReason();
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  boolean isPaused(String path) {
    Long since = metNanos.get(path);
    return since != null && System.nanoTime() - since < PAUSE_NANOS;
  }

  void met(String path, String words) {
    met.put(path, words);
    metNanos.put(path, System.nanoTime());
  }

  void over(String path) {
    met.remove(path);
    metNanos.remove(path);
  }

  /** Those of other files are over: they were taken away. */
  void onlyOf(Set<String> paths) {
    met.keySet().retainAll(paths);
    metNanos.keySet().retainAll(paths);
  }

  /** All files that cannot be taken at all, by path. */
  void unusable(Map<String, String> now) {
    unusable = now;
  }

  String summary() {
    Map<String, String> all = all();
    String named =
        all.entrySet().stream()
            .limit(MAX_NAMED)
            .map(trouble -> trouble.getKey() + ": " + trouble.getValue())
            .collect(Collectors.joining("; "));
    int more = all.size() - MAX_NAMED;
    return more > 0 ? named + "; and " + more + " more" : named;
  }

  private Map<String, String> all() {
    Map<String, String> all = new TreeMap<>(unusable);
    all.putAll(met);
    return all;
  }

  /** Tells them beside the files, and takes away what was told and is over. */
  void show(DropPlace place) {
    Map<String, String> now = all();
    Set<String> paths = new HashSet<>(shown.keySet());
    paths.addAll(now.keySet());
    for (String path : paths) {
      String words = now.getOrDefault(path, "");
      if (!words.equals(shown.getOrDefault(path, ""))) {
        show(place, path, words);
      }
    }
    shown = now;
  }

  private static void show(DropPlace place, String path, String words) {
    if (!words.isEmpty()) {
      LOG.warn("{} in the drop folder {} waits: {}", path, place.name(), words);
    }
    try {
      place.showTrouble(path, words);
    } catch (IOException e) {
      LOG.warn("Cannot write the reason why {} was rejected next to it: {}", path, words(e));
    }
  }
}
