package dev.imker.server.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.imker.planner.PlannedAction;
import dev.imker.server.http.Json;
import dev.imker.store.PoolStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Plans that were found, for everybody who asks for the same again, also after a restart and by
 * another server of the pool. The longest unused ones go when there are too many.
 */
public final class PlanMemory {
  private static final String PREFIX = "plan-kept/";
  private static final int MAX_PLANS = 300;
  private static final int MAX_CHARS = 100_000;

  /** Its last use is noted that exactly. */
  private static final Duration USE_STEP = Duration.ofHours(1);

  /** A plan as it is kept; actions as text. */
  private record Kept(List<List<String>> steps, long usedMillis) {}

  private final PoolStore store;
  private final Clock clock;
  private final int maxPlans;

  public PlanMemory(PoolStore store, Clock clock) {
    this(store, clock, MAX_PLANS);
  }

  PlanMemory(PoolStore store, Clock clock, int maxPlans) {
    this.store = store;
    this.clock = clock;
    this.maxPlans = maxPlans;
  }

  /**
   * The name under which a plan is kept.
   *
   * @param question all that the plan depends on
   */
  public static String key(List<String> question) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : question) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The steps of a plan; empty if it was not made yet, or forgotten. */
  public Optional<List<List<PlannedAction>>> find(String key) {
    Optional<Kept> found = store.setting(PREFIX + key).flatMap(PlanMemory::read);
    found
        .filter(kept -> clock.millis() - kept.usedMillis > USE_STEP.toMillis())
        .ifPresent(kept -> write(key, new Kept(kept.steps, clock.millis())));
    return found.map(
        kept ->
            kept.steps.stream()
                .map(step -> step.stream().map(PlannedStages::parse).toList())
                .toList());
  }

  public void keep(String key, List<List<PlannedAction>> steps) {
    List<List<String>> texts =
        steps.stream().map(step -> step.stream().map(PlannedAction::toString).toList()).toList();
    if (texts.toString().length() <= MAX_CHARS) {
      makeRoom();
      write(key, new Kept(texts, clock.millis()));
    }
  }

  private synchronized void makeRoom() {
    Map<String, Long> used = new HashMap<>();
    store
        .settings(PREFIX)
        .forEach((key, text) -> used.put(key, read(text).map(Kept::usedMillis).orElse(0L)));
    used.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .limit(Math.max(0, used.size() + 1 - maxPlans))
        .forEach(entry -> store.putSetting(entry.getKey(), ""));
  }

  private void write(String key, Kept plan) {
    try {
      store.putSetting(PREFIX + key, Json.MAPPER.writeValueAsString(plan));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a plan that cannot be written", e);
    }
  }

  /** What an earlier version has kept otherwise counts as forgotten. */
  private static Optional<Kept> read(String text) {
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(Json.MAPPER.readValue(text, Kept.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
