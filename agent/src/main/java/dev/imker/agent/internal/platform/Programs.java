package dev.imker.agent.internal.platform;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Programs in the folders of a search path, including Windows file extensions. */
public final class Programs {
  private static final long PATIENCE_SECONDS = 10;
  private static final int LONGEST_ANSWER = 8192;

  private final List<Path> folders = new ArrayList<>();
  private final List<String> endings;

  public Programs(String searchPath) {
    this(searchPath, endings());
  }

  Programs(String searchPath, List<String> endings) {
    this.endings = endings;
    for (String folder : searchPath.split(System.getProperty("path.separator"), -1)) {
      if (!folder.isEmpty()) {
        folders.add(Path.of(folder));
      }
    }
  }

  private static List<String> endings() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows")
        ? List.of(".exe", ".cmd", ".bat", "")
        : List.of("");
  }

  /** The folders of the search path, in its order. */
  public List<Path> folders() {
    return List.copyOf(folders);
  }

  /** Where a program is; empty if no folder has it. */
  public Optional<Path> find(String name) {
    for (Path folder : folders) {
      for (String ending : endings) {
        Path place = folder.resolve(name + ending);
        if (Files.isRegularFile(place) && Files.isExecutable(place)) {
          return Optional.of(place);
        }
      }
    }
    return Optional.empty();
  }

  /** What a command prints, both streams; empty if it cannot be run or takes too long. */
  public static String ask(List<String> command) throws InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return "";
    }
    try (var answer = process.getInputStream()) {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return "";
      }
      return new String(answer.readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    } finally {
      process.destroyForcibly();
    }
  }
}
