package dev.imker.pagetest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An agent as a process of its own, which can be killed as real ones are. */
final class AgentProcess implements AutoCloseable {
  private final Process process;

  private AgentProcess(Process process) {
    this.process = process;
  }

  static AgentProcess start(PageWorld world, String name) {
    try {
      Path home = Files.createDirectories(world.folder().resolve(name));
      ProcessBuilder builder =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "--enable-native-access=ALL-UNNAMED",
                      "--sun-misc-unsafe-memory-access=allow",
                      "-XX:TieredStopAtLevel=1",
                      "-XX:+UseSerialGC",
                      "-cp",
                      System.getProperty("java.class.path"),
                      "dev.imker.cli.Main",
                      "agent",
                      "--join",
                      world.server().joinToken(),
                      "--name",
                      name,
                      "--slots",
                      "1"))
              .directory(home.toFile())
              .redirectErrorStream(true)
              .redirectOutput(home.resolve("out.txt").toFile());
      builder.environment().put("IMKER_HOME", home.toString());
      return new AgentProcess(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As {@code kill -9} does it. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
