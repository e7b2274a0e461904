package dev.imker.tasks;

import java.util.Optional;

/** Small texts, by key, shared by tasks. */
public interface Blackboard {
  Optional<String> read(String key);

  void write(String key, String text);
}
