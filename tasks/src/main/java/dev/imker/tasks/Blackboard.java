package dev.imker.tasks;

import java.util.Optional;

/** Small texts by key that tasks share with each other. */
public interface Blackboard {
  Optional<String> read(String key);

  void write(String key, String text);
}
