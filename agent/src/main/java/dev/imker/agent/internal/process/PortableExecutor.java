package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.StartFailedException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs processes with what Java has on every system. Costs more per process than {@link
 * PosixSpawnExecutor}, and knows no process groups (a descendant whose parent is gone escapes).
 */
public final class PortableExecutor implements ProcessExecutor {
  static final boolean WINDOWS =
      System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
  private static final Path NICE = Path.of("/usr/bin/nice");

  private final ProgramPath programs = new ProgramPath();
  private final boolean canLower = !WINDOWS && Files.isExecutable(NICE);

  @Override
  public TaskProcess start(ProcessSpec spec, Consumer<ProcessExit> onExit) {
    List<String> command = command(spec);
    if (!spec.handed().isEmpty()) {
      command = handing(spec.handed(), command);
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> env = builder.environment();
    env.clear();
    env.putAll(spec.env());
    builder.directory(spec.folder().toFile());
    Path stdin = spec.stdin();
    builder.redirectInput(stdin == null ? new File(WINDOWS ? "NUL" : "/dev/null") : stdin.toFile());
    builder.redirectOutput(spec.stdout().toFile());
    builder.redirectError(spec.stderr().toFile());
    try {
      PortableProcess process = new PortableProcess(builder.start(), spec.limits());
      process.watch(onExit);
      return process;
    } catch (IOException | IllegalArgumentException | NullPointerException e) {
      throw new StartFailedException(
          "Could not start " + spec.command().getFirst() + ": " + e.getMessage(), e);
    }
  }

  /** Has a shell open what is to be handed over, and remove it before anything else runs. */
  private static List<String> handing(List<byte[]> contents, List<String> command) {
    StringBuilder opening = new StringBuilder("exec");
    StringBuilder removing = new StringBuilder("rm -f");
    List<String> files = new ArrayList<>();
    try {
      for (byte[] content : contents) {
        Path file = Files.createTempFile("imker", ""); // for its owner only
        Files.write(file, content);
        files.add(file.toString());
        int number = files.size();
        int descriptor = ProcessSpec.FIRST_HANDED + number - 1;
        opening.append(' ').append(descriptor).append("<\"$").append(number).append('"');
        removing.append(" \"$").append(number).append('"');
      }
    } catch (IOException e) {
      throw new StartFailedException("Could not start a helper: " + e.getMessage(), e);
    }
    String script = opening + "; " + removing + "; shift " + files.size() + "; exec \"$@\"";
    List<String> handing = new ArrayList<>(List.of(SystemLimits.SHELL, "-c", script));
    handing.add(SystemLimits.SHELL);
    handing.addAll(files);
    handing.addAll(command);
    return handing;
  }

  @Override
  public String groupsInWords() {
    return "by their ancestry (plain Java processes)";
  }

  private List<String> command(ProcessSpec spec) {
    List<String> command = new ArrayList<>(spec.command());
    if (WINDOWS) {
      return command;
    }
    String program = programs.resolve(command.getFirst(), spec.env());
    Path file = spec.folder().resolve(program).normalize();
    if (!Files.isExecutable(file)) {
      throw new StartFailedException(
          "Could not start " + program + ": it does not exist or is not executable.");
    }
    command.set(0, file.toString());
    command.addAll(0, SystemLimits.before(file, spec.limits()));
    if (canLower && spec.priority() == ProcessPriority.LOWEST) {
      command.addAll(0, List.of(NICE.toString(), "-n", "19"));
    }
    return command;
  }
}
