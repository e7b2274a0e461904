package dev.imker.server.internal.rest.nodes;

import dev.imker.core.message.NodeTerms;
import dev.imker.server.internal.rest.request.Times;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * On which terms an admin has a node used.
 *
 * @param paused who has its tasks frozen; null while they run
 * @param draining who lets it finish and rest; null while it gets work
 * @param restriction what it is used for; null for anything
 * @param unsandboxed who lets it run tasks of all accounts without a sandbox; null if nobody does
 */
public record NodeTermsView(
    @Nullable Order paused,
    @Nullable Order draining,
    @Nullable Restriction restriction,
    @Nullable Order unsandboxed) {
  /** Who said so, why (perhaps empty), and when. */
  public record Order(String by, String why, String since) {
    private static @Nullable Order orNull(NodeTerms.@Nullable Order order) {
      return order == null ? null : of(order);
    }

    private static Order of(NodeTerms.Order order) {
      return new Order(order.by(), order.why(), Times.iso(order.sinceMillis()));
    }
  }

  /** Whom it serves, with what kinds of jobs, on how many cores; empty or 0: no limit. */
  public record Restriction(
      List<String> serves, List<String> kinds, int cores, String by, String why, String since) {
    private static Restriction of(NodeTerms.Restriction restriction) {
      Order order = Order.of(restriction.order());
      return new Restriction(
          restriction.serves(),
          restriction.kinds().stream()
              .map(kind -> kind.name().toLowerCase(Locale.ROOT))
              .sorted()
              .toList(),
          restriction.cores(),
          order.by,
          order.why,
          order.since);
    }
  }

  static NodeTermsView of(NodeTerms terms) {
    return new NodeTermsView(
        Order.orNull(terms.paused()),
        Order.orNull(terms.draining()),
        terms.restriction() == null ? null : Restriction.of(terms.restriction()),
        Order.orNull(terms.unsandboxed()));
  }

  boolean isNone() {
    return paused == null && draining == null && restriction == null && unsandboxed == null;
  }
}
