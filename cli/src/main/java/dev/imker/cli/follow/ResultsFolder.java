package dev.imker.cli.follow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.charts.pool.PoolTaskMain;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.options.TaskWalk;
import dev.imker.cli.terminal.CsvFile;
import dev.imker.cli.terminal.Texts;
import dev.imker.client.context.FileTrouble;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Brings results home: one sub-folder per task with the result files and beside them {@code
 * stdout}, {@code stderr}, {@code exit-code} and {@code task.json}; and one table of all tasks,
 * {@code results.csv}. Of a chart analysis, the files of the report lie on top, and what its tasks
 * left for each other is in a hidden folder.
 */
final class ResultsFolder {
  static final String TABLE = "results.csv";
  private static final String HIDDEN = ".parts";
  private static final List<String> CHART_REPORT = List.of("imker", "chart", "task", "report");

  private final ApiClient api;
  private final ResultNames names;
  private final Path folder;
  private final Set<String> taken = new HashSet<>();

  ResultsFolder(ApiClient api, ResultNames names) {
    this.api = api;
    this.names = names;
    this.folder = names.base().toAbsolutePath().normalize();
  }

  /**
   * Complains before the work begins if its results could not be kept, or would be mixed with those
   * of another job.
   *
   * @param job whose results may be there already; 0 for a new one
   */
  static void requireUsable(ResultNames names, long job, boolean overwrite) {
    Path folder = names.base().toAbsolutePath().normalize();
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, ".imker-", null));
    } catch (IOException e) {
      throw new ImkerException(
          "--results " + names.base() + ": cannot be written: " + FileTrouble.inWords(e) + ".", e);
    }
    if (!overwrite && !isEmpty(folder) && (job == 0 || !isOf(folder.resolve(TABLE), job))) {
      throw new ImkerException(
          "--results "
              + names.base()
              + ": the folder is not empty and may hold the results of another job."
              + " Choose another one, or add --overwrite.");
    }
  }

  private static boolean isEmpty(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    } catch (IOException e) {
      throw new ImkerException(
          "--results " + folder + ": cannot be read: " + FileTrouble.inWords(e) + ".", e);
    }
  }

  private static boolean isOf(Path table, long job) {
    try (Stream<String> lines = Files.lines(table)) {
      return lines.skip(1).findFirst().filter(line -> line.startsWith(job + ".")).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** Fetches what the tasks left behind. */
  void fetch(SelectedTasks.Part part) {
    JsonNode stages = api.get("/api/v1/jobs/" + part.job() + "?spec=true").at("/spec/stages");
    List<String> parameters = parameters(stages);
    boolean analysis = names.template().isEmpty() && isAnalysis(stages);
    names.requireKnown(parameters);
    try {
      Files.createDirectories(folder);
      Path fresh = folder.resolve("." + TABLE);
      try (CsvFile table = new CsvFile(fresh)) {
        table.row(header(parameters));
        new TaskWalk(api)
            .each(
                part,
                true,
                task -> {
                  String name = (analysis ? HIDDEN + "/" : "") + freeName(task, part.tasks());
                  Path own = folder.resolve(name).normalize();
                  boolean report = analysis && task.path("number").asInt() == part.tasks();
                  fetch(task, own, report ? folder : own);
                  table.row(row(task, report ? "." : name, parameters));
                });
      }
      Files.move(fresh, folder.resolve(TABLE), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new ImkerException(
          "Cannot write results to " + folder + ": " + FileTrouble.inWords(e) + ".", e);
    }
  }

  private static boolean isAnalysis(JsonNode stages) {
    JsonNode last = stages.path(stages.size() - 1);
    List<String> command = new ArrayList<>();
    last.path("command").forEach(word -> command.add(word.asText()));
    return command.equals(CHART_REPORT) && last.path("env").has(PoolTaskMain.PLAN);
  }

  private static List<String> parameters(JsonNode stages) {
    Set<String> all = new LinkedHashSet<>();
    for (JsonNode stage : stages) {
      stage.path("sweep").forEach(axis -> all.add(axis.path("name").asText()));
    }
    return List.copyOf(all);
  }

  /** Tasks whose parameters make the same name do not get into one folder. */
  private String freeName(JsonNode task, int tasks) {
    String name = names.folder(task, tasks);
    return taken.add(name)
        ? name
        : name + "-" + ResultNames.number(task.path("number").asInt(), tasks);
  }

  private static List<String> header(List<String> parameters) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "task",
                "state",
                "exit-code",
                "tries",
                "started",
                "ended",
                "seconds",
                "node",
                "folder",
                "error"));
    all.addAll(parameters);
    return all;
  }

  private static List<String> row(JsonNode task, String name, List<String> parameters) {
    List<String> all = new ArrayList<>();
    all.add(task.path("id").asText());
    all.add(task.path("state").asText());
    all.add(task.path("exitCode").asText(""));
    all.add(task.path("attempts").asText());
    all.add(task.path("started").asText(""));
    all.add(task.path("ended").asText(""));
    all.add(seconds(task));
    all.add(task.path("agent").asText(""));
    all.add(name);
    all.add(task.path("error").asText());
    parameters.forEach(p -> all.add(task.path("params").path(p).asText("")));
    return all;
  }

  private static String seconds(JsonNode task) {
    return Texts.length(task.path("started"), task.path("ended"))
        .map(length -> String.format(Locale.ROOT, "%.3f", length.toMillis() / 1000.0))
        .orElse("");
  }

  /**
   * @param target for what the pool knows of the task
   * @param results for the files it left
   */
  private void fetch(JsonNode task, Path target, Path results) {
    String id = task.path("id").asText();
    try {
      Files.createDirectories(target);
      for (String stream : List.of("stdout", "stderr")) {
        writeOutput(task, id, stream, target.resolve(stream));
      }
      if (task.hasNonNull("exitCode")) {
        Files.writeString(target.resolve("exit-code"), task.get("exitCode").asInt() + "\n");
      }
      Files.writeString(target.resolve("task.json"), description(task));
      for (String which : List.of("saved", "results")) {
        for (JsonNode file : task.path(which)) {
          fetchFile(id, file, results);
        }
      }
    } catch (IOException e) {
      throw new ImkerException(
          "Cannot write results to " + target + ": " + FileTrouble.inWords(e) + ".", e);
    }
  }

  private static String description(JsonNode task) throws JsonProcessingException {
    ObjectNode plain = task.deepCopy();
    plain.remove(List.of("stdoutText", "stderrText"));
    return ApiClient.json().writerWithDefaultPrettyPrinter().writeValueAsString(plain) + "\n";
  }

  private void writeOutput(JsonNode task, String id, String stream, Path target)
      throws IOException {
    String inline = stream + "Text";
    if (task.hasNonNull(inline)) {
      Files.writeString(target, task.get(inline).asText());
    } else if (task.path(stream).path("size").asLong() > 0) {
      api.save("/api/v1/tasks/" + id + "/" + stream, target);
    } else {
      Files.write(target, new byte[0]);
    }
  }

  private void fetchFile(String id, JsonNode file, Path taskFolder) throws IOException {
    String path = file.path("path").asText();
    Path target = taskFolder.resolve(path).normalize();
    if (!target.startsWith(taskFolder) || target.equals(taskFolder)) {
      throw new ImkerException(
          "Task "
              + id
              + " names a result outside its folder: "
              + path
              + ". It was not downloaded.");
    }
    Files.createDirectories(target.getParent());
    api.save("/api/v1/tasks/" + id + "/results/" + encodePath(path), target);
    if (file.path("executable").asBoolean()
        && Files.getFileStore(target).supportsFileAttributeView("posix")) {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(target);
      permissions.add(PosixFilePermission.OWNER_EXECUTE);
      Files.setPosixFilePermissions(target, permissions);
    }
  }

  private static String encodePath(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      parts.add(ApiClient.encode(part));
    }
    return String.join("/", parts);
  }
}
