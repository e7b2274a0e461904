package dev.imker.agent.internal.platform;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The GPUs that tasks can compute on. The drivers' own files are asked first because that costs
 * nothing; {@code nvidia-smi} is for systems without them.
 */
final class Gpus {
  private static final Pattern NVIDIA_DEVICE = Pattern.compile("nvidia\\d+");
  private static final Pattern CARD = Pattern.compile("card\\d+");
  private static final Pattern LISTED = Pattern.compile("GPU \\d+: (.+?)(?: \\(UUID.*)?");
  private static final String AMD = "0x1002";

  private Gpus() {}

  /** Names of those that the system's files show, one per GPU. */
  static List<String> find(Path root) {
    List<String> found = new ArrayList<>(nvidiaByDriver(root));
    if (found.isEmpty()) {
      entries(root.resolve("dev"), NVIDIA_DEVICE).forEach(_ -> found.add("NVIDIA"));
    }
    // Without the compute device a graphics card only paints.
    if (Files.exists(root.resolve("dev/kfd"))) {
      for (Path card : entries(root.resolve("sys/class/drm"), CARD)) {
        if (firstLine(card.resolve("device/vendor")).equals(AMD)) {
          String name = firstLine(card.resolve("device/product_name"));
          found.add(name.isEmpty() ? "AMD" : name);
        }
      }
    }
    return found;
  }

  /** What {@code nvidia-smi -L} lists; nothing where there is no such program. */
  static List<String> ask(Programs programs) throws InterruptedException {
    Optional<Path> program = programs.find("nvidia-smi");
    return program.isEmpty()
        ? List.of()
        : parseList(Programs.ask(List.of(program.get().toString(), "-L")));
  }

  static List<String> parseList(String answer) {
    List<String> found = new ArrayList<>();
    for (String line : answer.lines().toList()) {
      var matcher = LISTED.matcher(line.strip());
      if (matcher.matches()) {
        found.add(matcher.group(1));
      }
    }
    return found;
  }

  private static List<String> nvidiaByDriver(Path root) {
    List<String> found = new ArrayList<>();
    for (Path gpu : entries(root.resolve("proc/driver/nvidia/gpus"), Pattern.compile(".+"))) {
      String name = "NVIDIA";
      try {
        for (String line : Files.readAllLines(gpu.resolve("information"))) {
          if (line.startsWith("Model:")) {
            name = line.substring("Model:".length()).strip();
          }
        }
      } catch (IOException e) {
        name = "NVIDIA"; // it is there all the same
      }
      found.add(name);
    }
    return found;
  }

  private static List<Path> entries(Path folder, Pattern name) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (name.matcher(entry.getFileName().toString()).matches()) {
          found.add(entry);
        }
      }
    } catch (IOException e) {
      return List.of(); // no such driver here
    }
    found.sort(null);
    return found;
  }

  private static String firstLine(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().orElse("").strip();
    } catch (IOException e) {
      return "";
    }
  }
}
