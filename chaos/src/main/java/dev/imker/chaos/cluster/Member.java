package dev.imker.chaos.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process of the pool that is killed, stopped and started again. All its lives write to files of
 * their own. Not for several threads.
 */
public final class Member {
  /** How a life of a process is started. */
  @FunctionalInterface
  interface CommandLine {
    List<String> of(String life);
  }

  private static final long KILL_SECONDS = 300;

  private final String name;
  private final Path logs;
  private final Path home;
  private final CommandLine command;
  private final Map<String, String> environment = new TreeMap<>();
  private @Nullable Process process;
  private int lives;
  private boolean stopped;
  private boolean killed;
  private volatile boolean retired;

  /**
   * @param home its IMKER_HOME and working folder
   * @param logs where its output goes
   */
  Member(String name, Path home, Path logs, CommandLine command) {
    this.name = name;
    this.home = home;
    this.logs = logs;
    this.command = command;
  }

  Member with(Map<String, String> variables) {
    environment.putAll(variables);
    return this;
  }

  public String name() {
    return name;
  }

  /** The name of this life: the first start is 1. */
  public String life() {
    return name + "." + lives;
  }

  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  public boolean isStopped() {
    return stopped && isAlive();
  }

  /** Whether it is not there any more although nobody has killed it. */
  public boolean hasEndedByItself() {
    return process != null && !process.isAlive() && !killed;
  }

  /** Starts the next life; nothing happens if it lives. */
  public void start() {
    if (isAlive() || retired) {
      return;
    }
    lives++;
    stopped = false;
    killed = false;
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(command.of(life())))
            .directory(home.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output().toFile())
            .redirectError(logs.resolve(life() + ".err").toFile());
    builder.environment().keySet().removeIf(key -> key.startsWith("IMKER_"));
    builder.environment().put("IMKER_HOME", home.toString());
    builder.environment().putAll(environment);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** kill -9. */
  public void kill() {
    Process running = process;
    if (running == null) {
      return;
    }
    killed = true;
    running.destroyForcibly();
    try {
      if (!running.waitFor(KILL_SECONDS, TimeUnit.SECONDS)) {
        throw new ChaosException(name + " does not die");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChaosException("interrupted", e);
    }
  }

  /** kill -9, for good: it is not started any more. */
  void retire() {
    retired = true;
    kill();
  }

  /** Asks it to end, and waits for that. */
  public void end(String signal) {
    Process running = process;
    if (running != null && running.isAlive()) {
      killed = true;
      signal(signal);
      try {
        if (!running.waitFor(KILL_SECONDS, TimeUnit.SECONDS)) {
          kill();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ChaosException("interrupted", e);
      }
    }
  }

  /** It stands still. */
  public void stop() {
    if (isAlive()) {
      signal("STOP");
      stopped = true;
    }
  }

  /** It goes on. */
  public void goOn() {
    if (isStopped()) {
      signal("CONT");
    }
    stopped = false;
  }

  private void signal(String signal) {
    Process running = process;
    if (running != null) {
      Shell.tryRun("kill", "-" + signal, Long.toString(running.pid()));
    }
  }

  /** The process itself, not what started it on its machine; empty if it is not there. */
  public OptionalLong javaPid() {
    Process running = process;
    if (running == null || !running.isAlive()) {
      return OptionalLong.empty();
    }
    return Stream.concat(Stream.of(running.toHandle()), running.descendants())
        .filter(one -> one.info().command().orElse("").endsWith("/java"))
        .mapToLong(ProcessHandle::pid)
        .findFirst();
  }

  private Path output() {
    return logs.resolve(life() + ".out");
  }

  /** Whether this life has said that it is ready. */
  public boolean isReady() {
    return hasSaid("\n");
  }

  /** Whether it lives and has written such words to its standard output. */
  public boolean hasSaid(String words) {
    return isAlive() && said().contains(words);
  }

  /** What this life has written to its standard output. */
  String said() {
    try {
      return Files.exists(output()) ? Files.readString(output()) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
