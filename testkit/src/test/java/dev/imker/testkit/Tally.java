package dev.imker.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts words; an actor of tests. */
class Tally {
  private int total;
  private final Map<String, Integer> counts = new HashMap<>();
  private List<String> order = new ArrayList<>();
  private transient int calls;

  /** How often it was told the word. */
  int add(String word) {
    total++;
    calls++;
    order.add(word);
    return counts.merge(word, 1, Integer::sum);
  }

  int total() {
    return total;
  }

  List<String> order() {
    return List.copyOf(order);
  }

  int callsSinceItWasMade() {
    return calls;
  }

  int addAndFail(String word) {
    add(word);
    throw new IllegalStateException("no " + word);
  }

  /** Tells that it has begun and waits for a file before it ends. */
  int addBehind(String word, Path started, Path gate) throws Exception {
    int count = add(word);
    Files.writeString(started, word);
    while (!Files.exists(gate)) {
      Thread.sleep(10);
    }
    return count;
  }

  int addAndEndProcess(String word) {
    add(word);
    Runtime.getRuntime().halt(3);
    return 0;
  }

  @SuppressWarnings("DoNotCallSuggester") // called in the pool
  static Tally broken() {
    throw new IllegalStateException("cannot be made");
  }
}
