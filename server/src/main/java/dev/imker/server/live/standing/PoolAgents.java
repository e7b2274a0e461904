package dev.imker.server.live.standing;

import dev.imker.core.Scheduler;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.NodeTerms;
import dev.imker.core.message.Outbox;
import dev.imker.model.NodeId;
import dev.imker.server.internal.auth.JoinTokens;
import dev.imker.server.internal.auth.Secrets;
import dev.imker.server.live.AgentKeys;
import dev.imker.server.live.LostTerms;
import dev.imker.server.live.NodeTrust;
import dev.imker.server.live.PoolAccounts;
import dev.imker.server.live.TermsBook;
import dev.imker.store.PoolStore;
import java.util.HashMap;
import java.util.Map;

/**
 * What is known of agents and their nodes besides what the scheduler knows: by which keys they come
 * in, how far they are trusted, on which terms they are used. Belongs to the loop's thread.
 */
public final class PoolAgents {
  private final Scheduler scheduler;
  private final PoolAccounts accounts;
  private final LostTerms lostTerms;
  private final NodeTrust trust;
  private final AgentKeys keys;
  private final TermsBook terms;
  private final AgentStandings standings = new AgentStandings();

  public PoolAgents(
      Scheduler scheduler, PoolAccounts accounts, LostTerms lostTerms, PoolStore store) {
    this.scheduler = scheduler;
    this.accounts = accounts;
    this.lostTerms = lostTerms;
    trust = new NodeTrust(store);
    keys = new AgentKeys(store);
    terms = new TermsBook(store);
  }

  public NodeTrust trust() {
    return trust;
  }

  public AgentKeys keys() {
    return keys;
  }

  /** On which terms nodes are used. */
  public TermsBook terms() {
    return terms;
  }

  /** What owners of agents said of them. */
  public AgentStandings standings() {
    return standings;
  }

  /** Whether agents remember what the database does not. */
  public LostTerms lostTerms() {
    return lostTerms;
  }

  /**
   * An agent came that has proved to have the keys it shows.
   *
   * @param token by which it knocked
   * @return how it is known from now on
   * @throws dev.imker.model.ImkerException if it is not let in; then nothing has happened
   */
  public AgentKeys.Entry introduce(
      long nowMillis, AgentHello hello, AgentKeys.Claim claim, JoinTokens.Entry token, Outbox out) {
    AgentKeys.Admission admission = keys.admit(claim, token, nowMillis);
    admission.change().ifPresent(out::change);
    AgentKeys.Entry entry = admission.entry();
    NodeId node = new NodeId(entry.node());
    int level = trust.shown(hello.agent(), node, Secrets.hash(entry.key()));
    AgentHello admitted = hello.withNode(node).withTrust(level).withTerms(terms.of(node));
    scheduler.onHello(nowMillis, admitted.exposedTo(accounts.exposure(admitted)), out);
    return entry;
  }

  /** Knows the agents of the server that leads; for a state that only answers questions. */
  public void show(PoolStore store, long nowMillis) {
    Map<String, AgentKeys.Entry> entries = new HashMap<>();
    keys.all().forEach(entry -> entries.put(entry.agent(), entry));
    AgentStandings.show(
        store,
        scheduler,
        hello -> {
          AgentKeys.Entry entry = entries.get(hello.agent().value());
          int level =
              entry == null
                  ? 0
                  : trust.shown(hello.agent(), hello.node(), Secrets.hash(entry.key()));
          AgentHello known = hello.withTrust(level).withTerms(terms.of(hello.node()));
          return known.exposedTo(accounts.exposure(known));
        },
        nowMillis);
  }

  /** An admin changed the terms on which a node is used. */
  public void applyTerms(NodeId node, NodeTerms next, Outbox out) {
    out.change(terms.put(node, next));
    scheduler.onTerms(node, next, out);
    accounts.exposureChanged();
  }
}
