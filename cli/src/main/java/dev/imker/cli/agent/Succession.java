package dev.imker.cli.agent;

import dev.imker.agent.AgentUpdates;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Hands an agent over to another version of the software. The process that was started first stays
 * and watches: a version that does not come up is not tried again, and the first one goes on
 * itself.
 */
final class Succession {
  /** Set for a version that runs under the eyes of another: the file that says it came up. */
  static final String CAME_UP = "IMKER_CAME_UP";

  /** A watched version ends with this code when the next one has been fetched. */
  static final int NEXT = 86;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 100;

  private final Path java;
  private final Path dataFolder;
  private final List<String> arguments;
  private final Consumer<String> say;
  private final Duration patience;

  Succession(Path dataFolder, List<String> arguments, Consumer<String> say) {
    this(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        dataFolder,
        arguments,
        say,
        PATIENCE);
  }

  Succession(
      Path java, Path dataFolder, List<String> arguments, Consumer<String> say, Duration patience) {
    this.java = java;
    this.dataFolder = dataFolder;
    this.arguments = List.copyOf(arguments);
    this.say = say;
    this.patience = patience;
  }

  /** Notes which version is to be next, for whoever watches this one. */
  static int leaveTo(Path dataFolder, String build) {
    try {
      Files.writeString(next(dataFolder), build);
      return NEXT;
    } catch (IOException e) {
      throw new ImkerException("The next version cannot be recorded: " + e.getMessage(), e);
    }
  }

  /** Tells whoever watches that this version works. */
  static void cameUp(Path file) {
    try {
      Files.writeString(file, "yes\n");
    } catch (IOException e) {
      throw new ImkerException("This version cannot report that it works: " + e, e);
    }
  }

  private static Path next(Path dataFolder) {
    return dataFolder.resolve("versions").resolve("next");
  }

  /**
   * Runs a version, and those that follow it, until the last one ends; its exit code. Empty if one
   * did not come up: then the caller goes on itself.
   */
  OptionalInt run(String firstBuild) {
    String build = firstBuild;
    try {
      while (true) {
        Path cameUp = dataFolder.resolve("versions").resolve("came-up");
        Files.deleteIfExists(cameUp);
        Process child = start(AgentUpdates.jar(dataFolder, build), cameUp);
        Thread stop = Thread.ofPlatform().unstarted(() -> stop(child));
        Runtime.getRuntime().addShutdownHook(stop);
        if (!comesUp(child, cameUp)) {
          child.destroyForcibly().waitFor();
          AgentUpdates.markBad(dataFolder, build);
          say.accept(
              "version " + build.substring(0, 12) + " did not start; keeping the current version");
          return OptionalInt.empty();
        }
        say.accept("updated to version " + build.substring(0, 12));
        int code = child.waitFor();
        if (code != NEXT) {
          return OptionalInt.of(code);
        }
        build = Files.readString(next(dataFolder)).strip();
      }
    } catch (IOException e) {
      throw new ImkerException("Cannot start the new version: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    }
  }

  private Process start(Path jar, Path cameUp) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(List.of("-XX:+UseSerialGC", "-cp", jar.toString(), "dev.imker.cli.Main"));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put(CAME_UP, cameUp.toString());
    return builder.start();
  }

  private boolean comesUp(Process child, Path cameUp) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() - deadlineNanos < 0) {
      if (Files.exists(cameUp)) {
        return true;
      }
      if (child.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        return Files.exists(cameUp); // it may have come up and ended between two looks
      }
    }
    return false;
  }

  private static void stop(Process child) {
    child.destroy();
    try {
      child.waitFor(15, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
