package dev.imker.server.live.shared;

import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where a run takes part, and what it was told last on each of its channels, the oldest first. */
record SharedRun(Map<SharedKey, SharedEntry> places, LinkedHashMap<String, SharedEntry> told) {
  SharedRun() {
    this(new HashMap<>(), new LinkedHashMap<>());
  }

  boolean isEmpty() {
    return places.isEmpty() && told.isEmpty();
  }
}
