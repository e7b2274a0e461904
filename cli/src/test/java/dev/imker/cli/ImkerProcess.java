package dev.imker.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The {@code imker} command as a process of its own, with an IMKER_HOME of its own. */
public final class ImkerProcess {
  /** What a finished command left behind. */
  public record Finished(int exitCode, String out, String err) {}

  private final Process process;
  private final Path out;
  private final Path err;

  private ImkerProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  static ImkerProcess start(Path home, Map<String, String> environment, String... arguments) {
    return start(List.of(), home, environment, arguments);
  }

  /** As above, behind the words of another command, such as one that enters a namespace. */
  static ImkerProcess start(List<String> before, Path home, String... arguments) {
    return start(before, home, Map.of(), arguments);
  }

  static ImkerProcess start(
      List<String> before, Path home, Map<String, String> environment, String... arguments) {
    // A test run in the background of a script ignores SIGINT, and children would inherit that.
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of("env", "--default-signal=INT"));
    command.addAll(QuickStart.java());
    command.add("dev.imker.cli.Main");
    command.addAll(List.of(arguments));
    try {
      Files.createDirectories(home);
      Path out = Files.createTempFile(home, "out-", ".txt");
      Path err = Files.createTempFile(home, "err-", ".txt");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(home.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().keySet().removeIf(key -> key.startsWith("IMKER_"));
      builder.environment().put("IMKER_HOME", home.toString());
      builder.environment().putAll(environment);
      return new ImkerProcess(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Finished run(Path home, String... arguments) {
    return start(home, Map.of(), arguments).finished();
  }

  /** Waits for the end. */
  Finished finished() {
    awaitExit();
    return new Finished(process.exitValue(), out(), err());
  }

  long pid() {
    return process.pid();
  }

  void awaitExit() {
    try {
      if (!process.waitFor(120, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("still running after 120 s:\n" + out() + err());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** As Ctrl-C does; waits for the end. */
  int interrupt() {
    signal("INT");
    awaitExit();
    return process.exitValue();
  }

  /** kill -9. */
  void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** As if its machine had lost power: it is there, and does nothing any more. */
  void freeze() {
    signal("STOP");
  }

  boolean isAlive() {
    return process.isAlive();
  }

  String out() {
    return read(out);
  }

  String err() {
    return read(err);
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
