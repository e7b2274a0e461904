package dev.imker.cli.submit;

import dev.imker.jobfile.NeedsReader;
import dev.imker.model.ImkerException;
import dev.imker.model.InputException;
import dev.imker.model.job.Requirements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What each task takes, and of which machines. */
final class NeedsOptions {
  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Cores per task: 4, 0.25, or all of the machine (default: 1).")
  @Nullable String cores;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "Memory per task: 8GB, '2GB * attempt', or auto for as much as the project's"
              + " tasks have needed so far.")
  @Nullable String memory;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      description = "GPUs per task: a whole number, or a fraction such as 0.5.")
  @Nullable String gpus;

  @Option(names = "--disk", paramLabel = "SIZE", description = "Disk space per task.")
  @Nullable String disk;

  @Option(
      names = "--resource",
      paramLabel = "NAME=N",
      description = "Amount of a resource declared by machines or the pool (see: imker resources).")
  Map<String, String> resources = new LinkedHashMap<>();

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "Only machines with this label; repeatable, all must match.")
  List<String> labels = new ArrayList<>();

  @Option(
      names = "--os",
      paramLabel = "SYSTEM",
      split = ",",
      description = "Only machines with this operating system: linux, windows, macos.")
  List<String> systems = new ArrayList<>();

  Requirements needs() {
    Map<String, Object> fields = new LinkedHashMap<>();
    put(fields, "cores", cores);
    put(fields, "memory", size(memory));
    put(fields, "gpus", gpus);
    put(fields, "disk", size(disk));
    if (!resources.isEmpty()) {
      fields.put("resources", resources);
    }
    if (!labels.isEmpty()) {
      fields.put("labels", labels);
    }
    if (!systems.isEmpty()) {
      fields.put("os", systems);
    }
    try {
      return NeedsReader.read(fields);
    } catch (InputException e) {
      throw new ImkerException("--" + option(String.valueOf(e.getMessage())), e);
    }
  }

  /** The option for what a message names by its field. */
  private static String option(String message) {
    return message.replaceFirst("^resources\\.", "resource ").replaceFirst("^labels", "label");
  }

  private static void put(Map<String, Object> fields, String name, @Nullable String value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  /** Elsewhere on the command line 8G will do. */
  private static @Nullable String size(@Nullable String text) {
    return text == null ? null : text.replaceFirst("(?i)^([0-9.]+ ?[KMGTP]i?)(?=$| *\\*)", "$1B");
  }
}
