package dev.imker.client.internal.local;

import dev.imker.tasks.Blackboard;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The one blackboard of a program without a pool. */
record LocalBoard() implements Blackboard {
  private static final Map<String, String> TEXTS = new ConcurrentHashMap<>();

  @Override
  public Optional<String> read(String key) {
    return Optional.ofNullable(TEXTS.get(key));
  }

  @Override
  public void write(String key, String text) {
    TEXTS.put(key, text);
  }
}
