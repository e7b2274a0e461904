package dev.imker.server.internal.rest.explain;

import dev.imker.core.matching.UnmetNeeds;
import dev.imker.core.message.AgentView;
import dev.imker.core.message.NodeTerms;
import dev.imker.model.AgentId;
import dev.imker.model.ProjectId;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.Stage;
import dev.imker.store.NodeRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The connected agents, sorted by what they lack for a task. */
public final class FittingNodes {
  private static final double MEGABYTE = 1L << 20;

  private final Map<List<String>, List<AgentView>> byLack = new LinkedHashMap<>();

  /**
   * What wants to run, and where it comes from.
   *
   * @param unfit agents that could not start it, and are not given it again for now
   * @param shared amounts that exist once for all machines
   */
  public record Wanted(
      Stage stage,
      ProjectId project,
      JobKind kind,
      Set<AgentId> unfit,
      Map<String, Double> shared) {}

  public FittingNodes(Wanted wanted, List<NodeRecord> nodes, List<AgentView> agents) {
    Stage stage = wanted.stage;
    Map<AgentId, AgentView> live = new HashMap<>();
    agents.forEach(agent -> live.put(agent.agent(), agent));
    Map<AgentView, Long> lines = new HashMap<>();
    for (NodeRecord node : nodes) {
      for (NodeRecord.Agent known : node.agents()) {
        AgentView agent = live.get(known.id());
        if (agent != null && agent.connected()) {
          List<String> lack = new ArrayList<>(lack(wanted, node, known, agent.terms()));
          if (wanted.unfit.contains(agent.agent())) {
            lack.add("could not start it; waiting for other machines that may come back");
          }
          lack.addAll(TermsInWords.refused(agent, wanted.project, wanted.kind));
          List<String> all = withReserve(withTrust(lack, stage, agent), agent);
          byLack.computeIfAbsent(all, l -> new ArrayList<>()).add(agent);
          long line = known.platform().largestDownloadBytes();
          lines.put(agent, line == 0 ? Long.MAX_VALUE : line);
        }
      }
    }
    leaveToBetterLines(stage.inputBytes(), lines);
  }

  /** As the scheduler does: where the inputs are too large for a line, the best ones get them. */
  private void leaveToBetterLines(long inputBytes, Map<AgentView, Long> lines) {
    List<AgentView> fitting = fitting();
    long best = fitting.stream().mapToLong(agent -> lines.getOrDefault(agent, 0L)).max().orElse(0);
    List<AgentView> left = new ArrayList<>();
    for (AgentView agent : fitting) {
      long line = lines.getOrDefault(agent, best);
      if (line < best && line < inputBytes) {
        left.add(agent);
        String lack =
            String.format(
                Locale.ROOT,
                "leaves inputs of %.1f MB to machines with a better connection to the server: its"
                    + " own suits %.0f MB",
                inputBytes / MEGABYTE,
                line / MEGABYTE);
        byLack.computeIfAbsent(List.of(lack), l -> new ArrayList<>()).add(agent);
      }
    }
    if (!left.isEmpty()) {
      fitting.removeAll(left);
    }
  }

  private static List<String> withTrust(List<String> lack, Stage stage, AgentView agent) {
    if (agent.trust() >= stage.rules().trust()) {
      return lack;
    }
    List<String> all = new ArrayList<>(lack);
    all.add("needs trust level %d, has %d".formatted(stage.rules().trust(), agent.trust()));
    return all;
  }

  private static List<String> withReserve(List<String> lack, AgentView agent) {
    List<String> all = new ArrayList<>(lack);
    Optional<String> rest = TermsInWords.rest(agent.terms());
    if (rest.isPresent()) {
      all.add(rest.get());
    } else if (agent.draining()) {
      all.add("is draining and takes no more tasks");
    } else if (!agent.pause().isEmpty()) {
      all.add("is paused: " + agent.pause());
    }
    return all;
  }

  private static List<String> lack(
      Wanted wanted, NodeRecord node, NodeRecord.Agent agent, NodeTerms terms) {
    Stage stage = wanted.stage;
    List<String> unmet =
        UnmetNeeds.of(
            stage.needs(),
            agent.platform(),
            terms.coresOf(agent.platform().cores()),
            name -> wanted.shared.getOrDefault(name, -1.0));
    String pin = stage.rules().pin();
    boolean fits =
        pin.isEmpty()
            || pin.equals(node.id().value())
            || pin.equals(agent.name())
            || pin.equals(agent.platform().hostName());
    if (fits) {
      return unmet;
    }
    List<String> all = new ArrayList<>(unmet);
    all.add("is not " + pin + ", to which the task is pinned");
    return all;
  }

  boolean isEmpty() {
    return byLack.isEmpty();
  }

  /** Agents that could run the task. */
  public List<AgentView> fitting() {
    return byLack.getOrDefault(List.of(), List.of());
  }

  public List<TaskExplanation.NodeClass> classes() {
    List<TaskExplanation.NodeClass> classes = new ArrayList<>();
    byLack.forEach((lack, agents) -> classes.add(view(lack, agents)));
    return classes;
  }

  private static TaskExplanation.NodeClass view(List<String> lack, List<AgentView> agents) {
    return new TaskExplanation.NodeClass(
        (int) agents.stream().map(AgentView::node).distinct().count(),
        agents.stream().mapToInt(AgentView::slots).sum(),
        agents.stream().mapToInt(FittingNodes::free).sum(),
        agents.getFirst().name(),
        lack);
  }

  static int free(AgentView agent) {
    return Math.max(0, agent.slots() - agent.held());
  }
}
