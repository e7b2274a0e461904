package dev.imker.bench.agents;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A {@link Swarm} in a process of its own. */
public final class SwarmProcess implements AutoCloseable {

  private static final JsonMapper JSON = new JsonMapper();

  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  private SwarmProcess(Process process) {
    this.process = process;
    commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  public static SwarmProcess start(String joinToken, int agents) throws IOException {
    return new SwarmProcess(
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    "-Xmx3g",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Swarm.class.getName(),
                    joinToken,
                    Integer.toString(agents)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  public SwarmReport report() throws IOException {
    return ask("report");
  }

  /** Begins to count anew. */
  public SwarmReport reset() throws IOException {
    return ask("reset");
  }

  private SwarmReport ask(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the simulated agents ended early");
    }
    return JSON.readValue(line, SwarmReport.class);
  }

  @Override
  public void close() throws IOException {
    commands.close();
    process.destroy();
  }
}
