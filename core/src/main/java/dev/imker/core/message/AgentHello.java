package dev.imker.core.message;

import dev.imker.model.AgentId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import java.util.List;

/**
 * An agent introduces itself.
 *
 * @param incarnation start of the agent's process; a new one knows nothing of the old one's work
 * @param held leases it has: queued, running, or finished and not yet confirmed
 * @param offer what its owner lends it for
 * @param trust level that it has proved; 0 means none
 * @param terms on which the pool uses its node
 * @param slotsSet whether the number of slots is a limit; if not, its cores are, up to {@link
 *     #MAX_TASKS}
 */
public record AgentHello(
    AgentId agent,
    NodeId node,
    String name,
    String version,
    Platform platform,
    int slots,
    long incarnation,
    List<Lease> held,
    AgentOffer offer,
    int trust,
    NodeTerms terms,
    boolean slotsSet) {
  /**
   * What any agent holds at most without a number of slots: its cores are its own word, and all
   * that it holds may be lost in one turn.
   */
  public static final int MAX_TASKS = 4096;

  public AgentHello {
    held = List.copyOf(held);
    if (slots < 0) {
      throw new IllegalArgumentException("agent " + agent + " with " + slots + " slots");
    }
  }

  /** One that has proved no trust. */
  public AgentHello(
      AgentId agent,
      NodeId node,
      String name,
      String version,
      Platform platform,
      int slots,
      long incarnation,
      List<Lease> held,
      AgentOffer offer) {
    this(
        agent,
        node,
        name,
        version,
        platform,
        slots,
        incarnation,
        held,
        offer,
        0,
        NodeTerms.NONE,
        true);
  }

  /** One that takes whatever there is. */
  public AgentHello(
      AgentId agent,
      NodeId node,
      String name,
      String version,
      Platform platform,
      int slots,
      long incarnation,
      List<Lease> held) {
    this(agent, node, name, version, platform, slots, incarnation, held, AgentOffer.ANYTHING);
  }

  public AgentHello withPlatform(Platform newPlatform) {
    return new AgentHello(
        agent,
        node,
        name,
        version,
        newPlatform,
        slots,
        incarnation,
        held,
        offer,
        trust,
        terms,
        slotsSet);
  }

  public AgentHello withNode(NodeId other) {
    return new AgentHello(
        agent,
        other,
        name,
        version,
        platform,
        slots,
        incarnation,
        held,
        offer,
        trust,
        terms,
        slotsSet);
  }

  public AgentHello withTrust(int level) {
    return new AgentHello(
        agent,
        node,
        name,
        version,
        platform,
        slots,
        incarnation,
        held,
        offer,
        level,
        terms,
        slotsSet);
  }

  public AgentHello withTerms(NodeTerms next) {
    return with(offer.within(next.serves()), next);
  }

  /** With the only users whose tasks may run there without a sandbox; empty: everybody. */
  public AgentHello exposedTo(List<String> users) {
    return with(offer.exposedTo(users), terms);
  }

  /** One that takes as many tasks as its cores allow. */
  public AgentHello withoutSlotLimit() {
    return new AgentHello(
        agent, node, name, version, platform, slots, incarnation, held, offer, trust, terms, false);
  }

  private AgentHello with(AgentOffer nextOffer, NodeTerms next) {
    return new AgentHello(
        agent,
        node,
        name,
        version,
        platform,
        slots,
        incarnation,
        held,
        nextOffer,
        trust,
        next,
        slotsSet);
  }
}
