package dev.imker.server.internal.rest.nodes;

import dev.imker.server.http.ApiException;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.Sorting;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Which nodes are asked for, in which order.
 *
 * @param name part of the name of a node or of an agent on it, in small letters
 * @param state one of {@link NodeView#state}; empty means any
 */
record NodeSelection(
    String name, String state, NodeSort sort, boolean descending, int offset, int limit) {
  private static final int USUAL_LIMIT = 100;
  private static final int MAX = 1000;
  private static final Set<String> STATES = Set.of("connected", "draining", "paused", "away");

  /** What nodes can be sorted by; unknown figures come first. */
  enum NodeSort {
    NAME,
    STATE,
    RUNNING,
    RELIABILITY,
    UPTIME,
    USUAL_UPTIME,
    BENCHMARK,
    FAILURES,
    CORES,
    MEMORY;

    private Comparator<NodeView> order() {
      return switch (this) {
        case NAME -> Comparator.comparing(NodeView::name);
        case STATE -> Comparator.comparing(NodeView::state);
        case RUNNING -> Comparator.comparingInt(NodeView::running);
        case RELIABILITY -> by(ProfileView::reliabilityPercent);
        case UPTIME -> by(ProfileView::currentUptimeMinutes);
        case USUAL_UPTIME -> by(ProfileView::uptimeMinutes);
        case BENCHMARK -> by(NodeSort::benchmark);
        case FAILURES -> by(ProfileView::failures);
        case CORES -> Comparator.comparingInt(node -> node.platform().cores());
        case MEMORY -> Comparator.comparingLong(node -> node.platform().memoryBytes());
      };
    }

    private static double benchmark(ProfileView profile) {
      Double millis = profile.benchmarkMillis();
      return millis == null ? 0 : millis;
    }

    private static Comparator<NodeView> by(ToDoubleFunction<ProfileView> figure) {
      return Comparator.comparingDouble(
          node -> {
            ProfileView profile = node.profile();
            return profile == null ? Double.NEGATIVE_INFINITY : figure.applyAsDouble(profile);
          });
    }
  }

  static NodeSelection read(Exchange exchange) {
    Sorting<NodeSort> sorting = Sorting.read(exchange, NodeSort.class, "");
    String state = exchange.query("state").orElse("").toLowerCase(Locale.ROOT);
    if (!state.isEmpty() && !STATES.contains(state)) {
      throw ApiException.invalid(
          "state", "state must be one of " + String.join(", ", new TreeSet<>(STATES)) + ".");
    }
    return new NodeSelection(
        exchange.query("name").orElse("").toLowerCase(Locale.ROOT),
        state,
        sorting.key() == null ? NodeSort.NAME : sorting.key(),
        sorting.descending(),
        (int) exchange.queryNumber("offset", 0, 0, Integer.MAX_VALUE),
        (int) exchange.queryNumber("limit", USUAL_LIMIT, 0, MAX));
  }

  /** All that match, in the order wanted; equal ones by name and id. */
  List<NodeView> of(List<NodeView> nodes) {
    Comparator<NodeView> order = descending ? sort.order().reversed() : sort.order();
    return nodes.stream()
        .filter(node -> (state.isEmpty() || node.state().equals(state)) && isNamed(node))
        .sorted(order.thenComparing(NodeView::name).thenComparing(NodeView::id))
        .toList();
  }

  List<NodeView> page(List<NodeView> matching) {
    int from = Math.min(offset, matching.size());
    return matching.subList(from, Math.min(matching.size(), from + limit));
  }

  private boolean isNamed(NodeView node) {
    return name.isEmpty()
        || contains(node.name())
        || node.agents().stream().anyMatch(agent -> contains(agent.name()));
  }

  private boolean contains(String text) {
    return text.toLowerCase(Locale.ROOT).contains(name);
  }
}
