package dev.imker.server.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.AgentId;
import dev.imker.model.ImkerException;
import dev.imker.model.NodeId;
import dev.imker.model.change.SettingPut;
import dev.imker.server.internal.auth.JoinTokens;
import dev.imker.server.internal.auth.Secrets;
import dev.imker.store.PoolStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The keys of all agents that ever joined. An agent joins once, by a join token; from then on its
 * id belongs to the key that it showed, and only that key opens it. Belongs to the loop's thread.
 *
 * <p>The id of a node belongs to the first node key that was shown with it, which all agents of one
 * data folder share. Agents that claim it with another node key, on the same machine or on another,
 * work under an id of their own that is made of both: they inherit nothing.
 */
public final class AgentKeys {
  private static final String SETTING = "agent-key/";
  private static final int SUFFIX_CHARS = 8;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /**
   * An agent that joined.
   *
   * @param node under which it works
   * @param key Ed25519 (X.509, Base64)
   * @param nodeKey that of all agents of its data folder
   * @param join id of the token by which it joined
   */
  public record Entry(
      String agent,
      String node,
      String name,
      String key,
      String nodeKey,
      String join,
      long joinedMillis,
      boolean revoked) {
    /** Tells this key from others, in short; for people. */
    public String fingerprint() {
      return Secrets.hash(key).substring(0, 2 * SUFFIX_CHARS);
    }

    /** Tells this key from others, as a number. */
    public long stamp() {
      return Long.parseUnsignedLong(fingerprint(), 16) & Long.MAX_VALUE;
    }

    private Entry with(String newNode, String newName) {
      return new Entry(agent, newNode, newName, key, nodeKey, join, joinedMillis, revoked);
    }

    private Entry asRevoked() {
      return new Entry(agent, node, name, key, nodeKey, join, joinedMillis, true);
    }
  }

  /** What an agent claims to be; that it has both keys was checked. */
  public record Claim(AgentId agent, NodeId node, String name, String key, String nodeKey) {}

  private final Map<AgentId, Entry> entries = new HashMap<>();

  /** Those of agents that joined again with other keys: they signed results once. */
  private final List<Entry> past = new ArrayList<>();

  private final Map<String, String> nodeOwners = new HashMap<>();

  public AgentKeys(PoolStore store) {
    store
        .settings(SETTING)
        .forEach(
            (key, text) -> {
              if (!text.isEmpty()) {
                Entry entry = parse(text);
                if (key.equals(SETTING + entry.agent)) {
                  entries.put(new AgentId(entry.agent), entry);
                } else {
                  past.add(entry);
                }
              }
            });
    entries.values().forEach(entry -> nodeOwners.putIfAbsent(entry.node, entry.nodeKey));
  }

  /** Whether an agent has this key now, and may use it. */
  public boolean isValid(AgentId agent, long stamp) {
    Entry entry = entries.get(agent);
    return entry != null && !entry.revoked && entry.stamp() == stamp;
  }

  public List<Entry> all() {
    return List.copyOf(entries.values());
  }

  /** Every key that an agent has or had. */
  public List<Entry> everOf(Set<AgentId> agents) {
    return Stream.concat(entries.values().stream(), past.stream())
        .filter(entry -> agents.contains(new AgentId(entry.agent)))
        .toList();
  }

  /** Whether it is a key that its agent had before it joined again. */
  public boolean isPast(Entry entry) {
    return past.contains(entry);
  }

  public long joinedBy(String join) {
    return entries.values().stream().filter(entry -> entry.join.equals(join)).count();
  }

  /** An agent that was let in, and what has to be written for it. */
  public record Admission(Entry entry, Optional<SettingPut> change) {}

  /**
   * Lets an agent in by its key, or by a join token if it is new.
   *
   * @param token by which it knocked
   * @throws ImkerException saying why not
   */
  public Admission admit(Claim claim, JoinTokens.Entry token, long nowMillis) {
    Entry known = entries.get(claim.agent);
    if (known != null) {
      return comeBack(known, claim);
    }
    requireNoRevoked(claim.key);
    token
        .problem(token.maxAgents() < 0 ? 0 : joinedBy(token.id()), nowMillis)
        .ifPresent(
            why -> {
              throw new ImkerException(
                  "The join token '%s' %s; ask an admin for another one (imker join new)."
                      .formatted(token.title(), why));
            });
    String node = nodeOf(claim.node, claim.nodeKey);
    return put(
        new Entry(
            claim.agent.value(),
            node,
            claim.name,
            claim.key,
            claim.nodeKey,
            token.id(),
            nowMillis,
            false));
  }

  private Admission comeBack(Entry known, Claim claim) {
    if (known.revoked) {
      throw new ImkerException(
          "An admin revoked the key of this agent; only an admin can readmit it (imker nodes readmit %s)."
              .formatted(known.agent));
    }
    if (!known.key.equals(claim.key)) {
      throw new ImkerException(
          "The agent id %s belongs to another key. If this agent lost its key file, delete its folder to join as a new agent, or ask an admin to readmit it (imker nodes readmit %s)."
              .formatted(known.agent, known.agent));
    }
    if (!known.nodeKey.equals(claim.nodeKey)) {
      throw new ImkerException(
          "The agent %s joined with another node key. Restore the file node-key in its data folder, or ask an admin to readmit it (imker nodes readmit %s)."
              .formatted(known.agent, known.agent));
    }
    String node = nodeOf(claim.node, claim.nodeKey);
    return node.equals(known.node) && claim.name.equals(known.name)
        ? new Admission(known, Optional.empty())
        : put(known.with(node, claim.name));
  }

  private void requireNoRevoked(String key) {
    for (Entry entry : entries.values()) {
      if (entry.revoked && entry.key.equals(key)) {
        throw new ImkerException("An admin revoked the key of this agent.");
      }
    }
  }

  private String nodeOf(NodeId claimed, String nodeKey) {
    String node = claimed.value();
    while (!Objects.equals(nodeOwners.getOrDefault(node, nodeKey), nodeKey)) {
      node = node + "-" + Secrets.hash(nodeKey + node).substring(0, SUFFIX_CHARS);
    }
    return node;
  }

  private Admission put(Entry entry) {
    entries.put(new AgentId(entry.agent), entry);
    nodeOwners.putIfAbsent(entry.node, entry.nodeKey);
    return new Admission(entry, Optional.of(change(entry)));
  }

  /** The key opens nothing any more. */
  public SettingPut revoke(Entry entry) {
    Entry revoked = entry.asRevoked();
    entries.put(new AgentId(entry.agent), revoked);
    return change(revoked);
  }

  /**
   * Forgets the key of an agent: whoever comes next by a join token gets its id. What it has signed
   * can still be checked.
   */
  public List<SettingPut> forget(Entry entry) {
    entries.remove(new AgentId(entry.agent));
    past.add(entry);
    boolean shared =
        entries.values().stream()
            .anyMatch(
                other -> other.node.equals(entry.node) && other.nodeKey.equals(entry.nodeKey));
    if (!shared) {
      nodeOwners.remove(entry.node, entry.nodeKey);
    }
    return List.of(
        new SettingPut(SETTING + entry.agent, ""),
        new SettingPut(SETTING + entry.agent + " " + entry.fingerprint(), json(entry)));
  }

  /** Those of a node, or of an agent, by id or by name. */
  public List<Entry> named(String wanted) {
    List<Entry> found = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if (entry.agent.equals(wanted)) {
        return List.of(entry);
      }
      if (entry.node.equals(wanted) || entry.name.equals(wanted)) {
        found.add(entry);
      }
    }
    return found;
  }

  private static SettingPut change(Entry entry) {
    return new SettingPut(SETTING + entry.agent, json(entry));
  }

  private static String json(Entry entry) {
    try {
      return JSON.writeValueAsString(entry);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a key that is not JSON", e);
    }
  }

  private static Entry parse(String text) {
    try {
      return JSON.readValue(text, Entry.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a key of an agent that cannot be read: " + text, e);
    }
  }
}
