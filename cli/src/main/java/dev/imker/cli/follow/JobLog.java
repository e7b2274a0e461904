package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.terminal.Texts;
import dev.imker.client.context.FileTrouble;
import dev.imker.model.ImkerException;
import dev.imker.model.job.Placeholders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** A file with a line for each task that ended, in the format of GNU parallel. */
public final class JobLog {
  private static final String HEADER =
      "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand";
  private static final int EXIT_VALUE = 6;

  private final Path file;
  private final JsonNode command;
  private final IntUnaryOperator sequence;

  /**
   * @param command words with parameters in them
   * @param sequence what a task of the job is called in the file
   */
  JobLog(Path file, JsonNode command, IntUnaryOperator sequence) {
    this.file = file;
    this.command = command;
    this.sequence = sequence;
    if (!Files.exists(file)) {
      append(HEADER);
    }
  }

  /** What a file says to have ended, or to have succeeded. */
  public static Set<Integer> ended(Path file, boolean onlySucceeded) {
    Set<Integer> all = new HashSet<>();
    if (!Files.exists(file)) {
      return all;
    }
    try {
      for (String line : Files.readAllLines(file)) {
        List<String> cells = List.of(line.split("\t", -1));
        if (cells.size() > EXIT_VALUE && cells.getFirst().matches("\\d{1,9}")) {
          Integer number = Integer.valueOf(cells.getFirst());
          if (!onlySucceeded || cells.get(EXIT_VALUE).equals("0")) {
            all.add(number);
          } else {
            all.remove(number);
          }
        }
      }
      return all;
    } catch (IOException e) {
      throw new ImkerException("--joblog " + file + ": " + FileTrouble.inWords(e) + ".", e);
    }
  }

  void add(JsonNode task) {
    Duration time = Texts.length(task.path("started"), task.path("ended")).orElse(Duration.ZERO);
    int exitCode =
        task.hasNonNull("exitCode")
            ? task.get("exitCode").asInt()
            : task.path("state").asText().equals("DONE") ? 0 : -1;
    int signal = exitCode > 128 && exitCode <= 128 + 64 ? exitCode - 128 : 0;
    append(
        String.format(
            Locale.ROOT,
            "%d\t%s\t%.3f\t%.3f\t%d\t%d\t%d\t%d\t%s",
            sequence.applyAsInt(task.path("number").asInt()),
            task.path("agent").asText("-"),
            task.path("started").isTextual()
                ? Instant.parse(task.path("started").asText()).toEpochMilli() / 1000.0
                : 0.0,
            time.toMillis() / 1000.0,
            0,
            task.path("stdout").path("size").asLong(),
            exitCode,
            signal,
            command(task)));
  }

  private String command(JsonNode task) {
    String text = String.join(" ", command.valueStream().map(JsonNode::asText).toList());
    return Placeholders.expand(text, name -> value(task, name)).replaceAll("\\s+", " ");
  }

  private static @Nullable String value(JsonNode task, String name) {
    return switch (name) {
      case "task" -> task.path("number").asText();
      case "job" -> task.path("job").asText();
      default -> task.path("params").path(name).asText();
    };
  }

  private void append(String line) {
    try {
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new ImkerException("--joblog " + file + ": " + FileTrouble.inWords(e) + ".", e);
    }
  }
}
