package dev.imker.server.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.imker.planner.PlanValidator;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Problem;
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
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

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

  /** A plan as it is kept: of each action the name, then the objects. */
  private record Kept(List<List<List<String>>> plan, long usedMillis) {
    Kept {
      Objects.requireNonNull(plan, "plan"); // not so in what an earlier version has kept
    }

    static Kept of(List<List<PlannedAction>> steps, long usedMillis) {
      return new Kept(
          steps.stream().map(step -> step.stream().map(Kept::words).toList()).toList(), usedMillis);
    }

    private static List<String> words(PlannedAction action) {
      return Stream.concat(Stream.of(action.name()), action.arguments().stream()).toList();
    }

    List<List<PlannedAction>> steps() {
      return plan.stream().map(step -> step.stream().map(Kept::action).toList()).toList();
    }

    private static PlannedAction action(List<String> words) {
      return new PlannedAction(words.getFirst(), words.subList(1, words.size()));
    }
  }

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

  /**
   * The steps of a plan; empty if it was not made yet, or forgotten, or is none for this problem,
   * whatever version of the planner has made it.
   */
  public Optional<List<List<PlannedAction>>> find(String key, Domain domain, Problem problem) {
    Optional<Kept> found =
        store
            .setting(PREFIX + key)
            .flatMap(PlanMemory::read)
            .filter(kept -> new PlanValidator(domain, problem).findFault(kept.steps()).isEmpty());
    found
        .filter(kept -> clock.millis() - kept.usedMillis > USE_STEP.toMillis())
        .ifPresent(kept -> write(key, new Kept(kept.plan, clock.millis())));
    return found.map(Kept::steps);
  }

  public void keep(String key, List<List<PlannedAction>> steps) {
    if (steps.toString().length() <= MAX_CHARS) {
      makeRoom();
      write(key, Kept.of(steps, clock.millis()));
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
