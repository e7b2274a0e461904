package dev.imker.agent.start;

import dev.imker.agent.ExamFinding;
import dev.imker.agent.internal.doctor.MachineExam;
import dev.imker.agent.internal.doctor.ServerExam;
import dev.imker.model.connection.JoinToken;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Examines a machine: whether an agent can work here, and what keeps it from working better. */
public final class AgentDoctor {
  private AgentDoctor() {}

  /**
   * @param join of the pool to be joined; without one, nothing is said about servers
   * @param policy as in {@code AgentSettings}
   */
  public static List<ExamFinding> examine(
      Path dataFolder, Optional<JoinToken> join, Optional<Path> policy, Map<String, String> env) {
    List<ExamFinding> findings = new ArrayList<>();
    findings.addAll(new MachineExam(dataFolder, policy, env).findings());
    if (join.isPresent()) {
      findings.addAll(new ServerExam(join.get(), env).findings());
    } else {
      findings.add(
          ExamFinding.note(
              "server",
              "no pool was named",
              "Pass the join token printed by 'imker up': imker doctor --join TOKEN"));
    }
    return findings;
  }
}
