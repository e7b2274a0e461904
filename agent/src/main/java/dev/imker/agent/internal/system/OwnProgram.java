package dev.imker.agent.internal.system;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The software of the agent as a program for tasks: a command with the program {@code imker} and
 * arguments runs it, whatever is installed on the machine.
 */
public final class OwnProgram {
  private static final String NAME = "imker";
  private static final String MAIN = "dev.imker.cli.Main";
  private static final String CACHE = "-XX:AOTCache=";
  private static final List<String> QUICK_START =
      List.of(
          CACHE,
          "-Xlog:aot",
          "-Xlog:cds",
          "--enable-native-access",
          "--sun-misc-unsafe-memory-access");

  private OwnProgram() {}

  /** The command, with this program in the place of its name. */
  public static List<String> in(List<String> command) {
    if (command.size() < 2 || !command.getFirst().equals(NAME)) {
      return command;
    }
    if (OwnProgram.class.getClassLoader().getResource(MAIN.replace('.', '/') + ".class") == null) {
      throw new StartFailedException(
          "The agent was not started from imker.jar, so it cannot provide the imker"
              + " command to tasks.");
    }
    List<String> full = new ArrayList<>();
    full.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    full.addAll(options());
    full.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Djava.awt.headless=true", "-cp"));
    full.add(String.join(File.pathSeparator, classPath().stream().map(Path::toString).toList()));
    full.add(MAIN);
    full.addAll(command.subList(1, command.size()));
    return full;
  }

  /** Those options of this process that let it start quickly; a cache counts only with all. */
  private static List<String> options() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> QUICK_START.stream().anyMatch(option::startsWith))
        .toList();
  }

  public static List<Path> places() {
    return Stream.concat(
            Stream.concat(
                classPath().stream(), Stream.of(Path.of(System.getProperty("java.home")))),
            options().stream()
                .filter(option -> option.startsWith(CACHE))
                .map(option -> Path.of(option.substring(CACHE.length())).toAbsolutePath()))
        .toList();
  }

  /** A program that lies where this one's jar or its installation is; it may not be there. */
  public static Optional<Path> beside(String program) {
    Path installed = Path.of(System.getProperty("java.home")).resolveSibling("lib");
    return Stream.concat(
            classPath().stream().map(jar -> jar.resolveSibling(program)),
            Stream.of(installed.resolve(program)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static List<Path> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(place -> !place.isEmpty())
        .map(place -> Path.of(place).toAbsolutePath())
        .toList();
  }
}
