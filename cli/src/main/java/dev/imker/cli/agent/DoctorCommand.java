package dev.imker.cli.agent;

import dev.imker.agent.ExamFinding;
import dev.imker.agent.start.AgentDoctor;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.ServerOptions;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.client.context.ImkerHome;
import dev.imker.model.connection.JoinToken;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code imker doctor}: explains what is wrong on this machine. */
@Command(
    name = "doctor",
    sortOptions = false,
    description = {
      "Check whether this machine can be lent to a pool, and explain what is wrong if not.",
      "With --deep: compare what each server of the pool has in memory with its database, while it"
          + " runs."
    })
public final class DoctorCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;
  @Mixin OutputOptions output = new OutputOptions();

  @Mixin ServerOptions server = new ServerOptions();

  @Option(
      names = "--deep",
      description =
          "Ask every server of the pool to compare what it has in memory with its database, and say"
              + " what differs. For admins; nothing stops meanwhile.")
  boolean deep;

  @Option(
      names = "--join",
      paramLabel = "TOKEN",
      description = "Join token of the pool (default: $IMKER_JOIN, or the saved one).")
  @Nullable String join;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The agent's folder (default: $IMKER_HOME/agent, ~/.imker/agent).")
  @Nullable Path data;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "Policy under which the machine is lent (default: policy.yaml in the folder).")
  @Nullable Path policy;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (deep) {
      try (ApiClient api = server.connect()) {
        return new DeepCheck(api).run(out, output.json);
      }
    }
    Path folder = data == null ? ImkerHome.of(System.getenv()).agent() : data;
    Optional<JoinToken> token = new KeptJoin(folder).find(join, System.getenv());
    List<ExamFinding> findings =
        new ArrayList<>(
            AgentDoctor.examine(folder, token, Optional.ofNullable(policy), System.getenv()));
    if (token.isEmpty()) {
      findings.addAll(network());
    }
    if (!AgentProgram.isAll()) {
      RestoredPool.finding(ImkerHome.of(System.getenv()).data()).ifPresent(findings::add);
    }
    boolean bad = findings.stream().anyMatch(finding -> finding.level() == ExamFinding.Level.BAD);
    if (output.json) {
      OutputOptions.printJson(
          out, ApiClient.json().valueToTree(Map.of("fine", !bad, "findings", findings)));
    } else {
      findings.forEach(finding -> print(out, finding));
      out.println(bad ? "An agent cannot run here yet." : "An agent can run here.");
    }
    return bad ? ExitCodes.FAILED : ExitCodes.OK;
  }

  /** What an agent without a token would find. */
  private static List<ExamFinding> network() {
    List<ExamFinding> pools =
        LanJoin.search().stream()
            .map(pool -> ExamFinding.fine("network", LanJoin.shown(pool) + " is to be joined"))
            .toList();
    return pools.isEmpty()
        ? List.of(
            ExamFinding.note(
                "network",
                "no pool announces itself on this network",
                "A server started with --listen 0.0.0.0 announces itself unless UDP"
                    + " port 5353 (mDNS) is closed; joining with a token does not need this."))
        : pools;
  }

  private static void print(PrintWriter out, ExamFinding finding) {
    String level = finding.level().name().toLowerCase(Locale.ROOT);
    out.println(String.format(Locale.ROOT, "%-5s %-9s %s", level, finding.what(), finding.text()));
    if (!finding.advice().isEmpty()) {
      out.println(" ".repeat(16) + finding.advice());
    }
  }
}
