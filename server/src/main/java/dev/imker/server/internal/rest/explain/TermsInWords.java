package dev.imker.server.internal.rest.explain;

import dev.imker.core.message.AgentOffer;
import dev.imker.core.message.AgentView;
import dev.imker.core.message.NodeTerms;
import dev.imker.core.message.NodeTerms.Restriction;
import dev.imker.model.ProjectId;
import dev.imker.model.job.JobKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Describes what the terms of a node exclude. */
final class TermsInWords {
  private TermsInWords() {}

  /** Why the node gets no work at all; empty if it gets any. */
  static Optional<String> rest(NodeTerms terms) {
    NodeTerms.Order paused = terms.paused();
    if (paused != null) {
      return Optional.of("is paused " + who(paused));
    }
    NodeTerms.Order draining = terms.draining();
    return draining == null
        ? Optional.empty()
        : Optional.of("is draining and takes no more tasks, " + who(draining));
  }

  /** Why it does not take work of this kind or project; one reason each. */
  static List<String> refused(AgentView agent, ProjectId project, JobKind kind) {
    Restriction restriction = agent.terms().restriction();
    List<String> reasons = new ArrayList<>();
    if (agent.offer().isTooExposedFor(project)) {
      reasons.add(
          "has no sandbox, so it runs only tasks of admins; an admin can allow tasks of everyone with 'imker nodes allow-unsandboxed %s'"
              .formatted(agent.name()));
    }
    if (restriction == null) {
      return reasons;
    }
    if (!restriction.serves().isEmpty() && !AgentOffer.isNamed(restriction.serves(), project)) {
      reasons.add(
          "is used only for %s, %s"
              .formatted(String.join(", ", restriction.serves()), who(restriction.order())));
    }
    if (!restriction.kinds().isEmpty() && !restriction.kinds().contains(kind)) {
      reasons.add(
          "is used only for jobs of the kind %s, not %s, %s"
              .formatted(kinds(restriction), word(kind), who(restriction.order())));
    }
    return reasons;
  }

  /** What a restricted node is used for. */
  static String all(Restriction restriction) {
    List<String> parts = new ArrayList<>();
    if (!restriction.serves().isEmpty()) {
      parts.add("for " + String.join(", ", restriction.serves()));
    }
    if (!restriction.kinds().isEmpty()) {
      parts.add("for jobs of the kind " + kinds(restriction));
    }
    if (restriction.cores() > 0) {
      parts.add("with at most " + restriction.cores() + " cores");
    }
    return "used only " + String.join(", ", parts) + ", " + who(restriction.order());
  }

  private static String kinds(Restriction restriction) {
    return restriction.kinds().stream()
        .map(TermsInWords::word)
        .sorted()
        .collect(Collectors.joining(" or "));
  }

  private static String word(JobKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static String who(NodeTerms.Order order) {
    return "by " + order.by() + (order.why().isEmpty() ? "" : ": " + order.why());
  }
}
