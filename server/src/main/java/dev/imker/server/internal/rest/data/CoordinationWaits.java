package dev.imker.server.internal.rest.data;

import dev.imker.model.TaskId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Running tasks that are currently waiting for others, and for what. */
public final class CoordinationWaits {
  private static final int MAX_NAMED = 10;

  /**
   * What is waited for.
   *
   * @param place of all that wait for the same
   * @param words such as {@code to enter the barrier rounds of 4}
   */
  record Wait(String place, String words) {}

  private final Map<TaskId, Wait> waits = new ConcurrentHashMap<>();

  void begin(TaskId task, Wait wait) {
    waits.put(task, wait);
  }

  void end(TaskId task, Wait wait) {
    waits.remove(task, wait);
  }

  /** In a sentence; nothing if the task does not wait. */
  public Optional<String> of(TaskId task) {
    return Optional.ofNullable(waits.get(task)).map(wait -> sentence(task, wait));
  }

  private String sentence(TaskId task, Wait wait) {
    List<TaskId> others =
        waits.entrySet().stream()
            .filter(other -> other.getValue().place.equals(wait.place))
            .map(Map.Entry::getKey)
            .filter(other -> !other.equals(task))
            .sorted()
            .toList();
    String named =
        others.stream().limit(MAX_NAMED).map(TaskId::toString).collect(Collectors.joining(", "));
    String more =
        others.size() > MAX_NAMED ? " and %d more".formatted(others.size() - MAX_NAMED) : "";
    return "It is waiting %s; %s."
        .formatted(
            wait.words,
            others.isEmpty() ? "no other task is waiting there" : "so do " + named + more);
  }
}
