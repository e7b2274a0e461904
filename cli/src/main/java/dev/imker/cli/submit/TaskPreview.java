package dev.imker.cli.submit;

import dev.imker.cli.options.ValueSources;
import dev.imker.jobfile.NeedsReader;
import dev.imker.model.job.Placeholders;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Stage;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows the tasks of a job that is not submitted. */
record TaskPreview(PrintWriter out) {
  private static final int MAX_SHOWN = 20;
  private static final int MAX_FILES = 10;

  void print(Stage stage, Collection<String> files) {
    long tasks = stage.taskCount();
    out.println("%,d %s; nothing was submitted".formatted(tasks, tasks == 1 ? "task" : "tasks"));
    if (!stage.needs().equals(Requirements.ANY)) {
      out.println("needs  " + NeedsReader.inWords(stage.needs()));
    }
    if (!files.isEmpty()) {
      out.println(
          "files  "
              + files.stream().limit(MAX_FILES).collect(Collectors.joining(", "))
              + (files.size() > MAX_FILES ? ", … (%,d in all)".formatted(files.size()) : ""));
    }
    for (int i = 0; i < Math.min(tasks, MAX_SHOWN); i++) {
      out.println("%6d  %s".formatted(i + 1, command(stage, i)));
    }
    if (tasks > MAX_SHOWN) {
      out.println("     …  %,d more".formatted(tasks - MAX_SHOWN));
    }
  }

  private static String command(Stage stage, int index) {
    List<String> values = stage.params(index);
    List<String> words =
        stage.command().stream()
            .map(word -> Placeholders.expand(word, name -> value(stage, values, index, name)))
            .toList();
    return words.size() == 1
        ? words.getFirst()
        : words.stream().map(ValueSources::quote).collect(Collectors.joining(" "));
  }

  private static @Nullable String value(Stage stage, List<String> values, int index, String name) {
    int position = stage.paramNames().indexOf(name);
    if (position >= 0) {
      return values.get(position);
    }
    return name.equals("task") ? Integer.toString(index + 1) : name.equals("job") ? "JOB" : null;
  }
}
