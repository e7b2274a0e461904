package dev.imker.agent;

import dev.imker.agent.start.ImkerAgent;
import dev.imker.model.connection.JoinToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** An agent in a Java process of its own, until its input ends. */
final class AgentProcess {
  private final Process process;

  private AgentProcess(Process process) {
    this.process = process;
  }

  static AgentProcess start(JoinToken join, Path data, long cacheLimitBytes) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            AgentProcess.class.getName(),
            join.encode(),
            data.toString(),
            Long.toString(cacheLimitBytes));
    return new AgentProcess(
        new ProcessBuilder(command)
            .inheritIO()
            .redirectInput(ProcessBuilder.Redirect.PIPE)
            .start());
  }

  void close() throws IOException, InterruptedException {
    process.getOutputStream().close();
    process.waitFor();
  }

  public static void main(String[] arguments) throws IOException {
    AgentSettings settings =
        AgentSettings.of(JoinToken.parse(arguments[0]), Path.of(arguments[1]))
            .withSlots(2)
            .withLowestPriority(false)
            .withCacheLimitBytes(Long.parseLong(arguments[2]));
    try (var _ = ImkerAgent.start(settings)) {
      while (System.in.read() >= 0) {
        // nobody writes here
      }
    }
  }
}
