package dev.imker.chaos.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Command lines of Java programs: from the built jar if there is one, else with our own classes.
 */
public final class JavaCommand {
  private static final List<String> OPTIONS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:-UsePerfData",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xmx400m");

  private JavaCommand() {}

  public static List<String> imker(List<String> arguments) {
    Path jar = Path.of(System.getProperty("imker.chaos.jar", ""));
    Path fastStart = jar.resolveSibling("imker.aot");
    List<String> options = new ArrayList<>(OPTIONS);
    if (Files.isRegularFile(jar) && Files.exists(fastStart)) {
      options.addAll(List.of("-XX:AOTCache=" + fastStart, "-Xlog:aot=off", "-Xlog:cds=off"));
    }
    String classPath = Files.isRegularFile(jar) ? jar.toString() : ownClassPath();
    return command(options, classPath, "dev.imker.cli.Main", arguments);
  }

  public static List<String> own(Class<?> main, List<String> arguments) {
    return command(OPTIONS, ownClassPath(), main.getName(), arguments);
  }

  static List<String> library(String main, List<String> arguments) {
    return command(OPTIONS, ownClassPath(), main, arguments);
  }

  private static String ownClassPath() {
    return System.getProperty("java.class.path");
  }

  private static List<String> command(
      List<String> options, String classPath, String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    // What runs in the background of a script ignores SIGINT, and children would inherit that.
    command.addAll(List.of("env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(arguments);
    return command;
  }
}
