package dev.imker.server.drop;

import dev.imker.server.internal.drop.place.DropPlace.Waiting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Distinguishes complete files from those that are still being written. */
final class Settled {
  private record Seen(String stamp, long sinceNanos) {}

  private final long quietNanos;
  private Map<String, Seen> seen = new HashMap<>();

  /**
   * @param quietMillis how long a file has to stay the same
   */
  Settled(long quietMillis) {
    quietNanos = quietMillis * 1_000_000;
  }

  /** Those of the files that have not changed for long enough. */
  List<Waiting> of(List<Waiting> files, long nowNanos) {
    Map<String, Seen> now = new HashMap<>();
    for (Waiting file : files) {
      @Nullable Seen before = seen.get(file.path());
      boolean same = before != null && before.stamp.equals(file.stamp());
      now.put(
          file.path(), same ? Objects.requireNonNull(before) : new Seen(file.stamp(), nowNanos));
    }
    seen = now;
    Set<String> quiet =
        now.entrySet().stream()
            .filter(entry -> nowNanos - entry.getValue().sinceNanos >= quietNanos)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    return files.stream().filter(file -> quiet.contains(file.path())).toList();
  }
}
