package dev.imker.server.internal.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.ImkerException;
import dev.imker.model.change.SettingPut;
import dev.imker.store.PoolStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * By which words new agents join: that of the pool, which has no limits, and others that an admin
 * made for so many agents or so long. The words themselves are not kept: the server can tell its
 * own. One that is over still lets agents knock: those that have joined by it come back by their
 * own key.
 */
public record JoinTokens(PoolStore store) {
  private static final String SETTING = "join-token/";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String CLOSED = "closed";
  private static final int ID_BYTES = 9;

  /** The id and title of the token that {@code imker up} shows. */
  public static final String POOL = "pool";

  /**
   * What is known of a token.
   *
   * @param maxAgents how many agents may join by it; -1: any number
   * @param expiresMillis -1: never
   */
  public record Entry(
      String id,
      String title,
      long maxAgents,
      long createdMillis,
      long expiresMillis,
      boolean revoked) {
    /** Why nobody new may join by it now; empty if somebody may. */
    public Optional<String> problem(long agents, long nowMillis) {
      if (revoked) {
        return Optional.of("was revoked by an admin");
      }
      if (expiresMillis >= 0 && nowMillis >= expiresMillis) {
        return Optional.of("is too old");
      }
      return maxAgents >= 0 && agents >= maxAgents
          ? Optional.of("was for %,d agents, which have joined".formatted(maxAgents))
          : Optional.empty();
    }
  }

  /** A fresh token, and the change that makes it known. */
  public record Issued(Entry entry, SettingPut change) {}

  public Optional<Entry> find(String id) {
    return id.equals(POOL)
        ? Optional.of(pool())
        : store.setting(SETTING + id).flatMap(JoinTokens::parse);
  }

  private Entry pool() {
    boolean closed = store.setting(SETTING + POOL).filter(CLOSED::equals).isPresent();
    return new Entry(POOL, POOL, -1, 0, -1, closed);
  }

  public Optional<Entry> titled(String title) {
    return all().stream().filter(entry -> entry.title.equals(title)).findFirst();
  }

  public List<Entry> all() {
    List<Entry> all = new ArrayList<>();
    all.add(pool());
    store.settings(SETTING).values().stream()
        .flatMap(text -> parse(text).stream())
        .sorted(Comparator.comparingLong(Entry::createdMillis))
        .forEach(all::add);
    return all;
  }

  /**
   * Makes a token.
   *
   * @throws ImkerException if there is one with this title
   */
  public Issued issue(String title, long maxAgents, long nowMillis, long expiresMillis) {
    if (titled(title).isPresent()) {
      throw new ImkerException(
          "There is already a join token '%s'; choose another title.".formatted(title));
    }
    String id = Secrets.randomHex(ID_BYTES);
    Entry entry = new Entry(id, title, maxAgents, nowMillis, expiresMillis, false);
    return new Issued(entry, new SettingPut(SETTING + id, json(entry)));
  }

  /** Lets nobody new in by a token from now on; empty if there is none with this title. */
  public Optional<SettingPut> revoke(String title) {
    if (title.equals(POOL)) {
      return Optional.of(new SettingPut(SETTING + POOL, CLOSED));
    }
    return store.settings(SETTING).entrySet().stream()
        .flatMap(
            kept ->
                parse(kept.getValue())
                    .filter(entry -> entry.title.equals(title))
                    .map(
                        entry ->
                            new SettingPut(
                                kept.getKey(),
                                json(
                                    new Entry(
                                        entry.id,
                                        title,
                                        entry.maxAgents,
                                        entry.createdMillis,
                                        entry.expiresMillis,
                                        true))))
                    .stream())
        .findFirst();
  }

  /** Lets agents join by the token of the pool again. */
  public static SettingPut reopenPool() {
    return new SettingPut(SETTING + POOL, "");
  }

  private static Optional<Entry> parse(String text) {
    if (!text.startsWith("{")) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(text, Entry.class));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a join token that cannot be read: " + text, e);
    }
  }

  private static String json(Entry entry) {
    try {
      return JSON.writeValueAsString(entry);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a join token that is not JSON", e);
    }
  }
}
