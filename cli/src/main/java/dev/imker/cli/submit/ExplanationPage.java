package dev.imker.cli.submit;

import dev.imker.cli.terminal.Texts;
import dev.imker.jobfile.Explanation;
import dev.imker.jobfile.Explanation.FilePlan;
import dev.imker.jobfile.Explanation.StagePlan;
import dev.imker.model.job.JobSpec;
import java.io.PrintWriter;
import java.util.List;

/** What would be created, for a person to read. */
final class ExplanationPage {
  private static final int COMMAND_WIDTH = 100;
  private static final int FILES_SHOWN = 20;

  private ExplanationPage() {}

  static String title(Explanation plan) {
    return "%s (project %s): %s"
        .formatted(
            plan.name().isEmpty() ? "job" : "job " + plan.name(),
            plan.project(),
            count(plan.tasks(), "task")
                + (plan.stages().size() > 1 ? " in " + count(plan.stages().size(), "stage") : ""));
  }

  private static String count(long number, String what) {
    return "%,d %s%s".formatted(number, what, number == 1 ? "" : "s");
  }

  static void print(Explanation plan, JobSpec spec, PoolFit fit, PrintWriter out) {
    out.println(title(plan) + ", priority " + plan.priority());
    for (int i = 0; i < plan.stages().size(); i++) {
      StagePlan stage = plan.stages().get(i);
      if (plan.stages().size() > 1) {
        out.println("  " + stage.name() + ": " + count(stage.tasks(), "task"));
      }
      print(stage, out);
      fit.of(spec.stages().get(i).needs()).ifPresent(words -> line(out, "fits", words));
    }
    print(plan.files(), plan.uploadBytes(), out);
    out.flush();
  }

  private static void print(StagePlan stage, PrintWriter out) {
    line(out, "params", String.join(", ", stage.params()));
    line(out, stage.tasks() == 1 ? "command" : "first", command(stage.first()));
    line(out, "last", stage.tasks() == 1 ? "" : command(stage.last()));
    line(out, "after", String.join(", ", stage.after()));
    line(out, "results", stage.results().isEmpty() ? "none" : String.join(", ", stage.results()));
    line(out, "needs", stage.needs());
  }

  private static String command(List<String> words) {
    return Texts.shorten(String.join(" ", words).strip().replace('\n', ' '), COMMAND_WIDTH);
  }

  private static void line(PrintWriter out, String what, String text) {
    if (!text.isEmpty()) {
      out.println("    %-8s %s".formatted(what, text));
    }
  }

  private static void print(List<FilePlan> files, long bytes, PrintWriter out) {
    if (files.isEmpty()) {
      return;
    }
    out.println("  " + count(files.size(), "file") + ", " + Texts.bytes(bytes));
    for (FilePlan file : files.subList(0, Math.min(FILES_SHOWN, files.size()))) {
      out.println(
          "    %-8s %s%s%s"
              .formatted(
                  Texts.bytes(file.size()),
                  file.path(),
                  file.os().isEmpty() ? "" : " (" + file.os() + ")",
                  file.stage().isEmpty() ? "" : " for " + file.stage()));
    }
    if (files.size() > FILES_SHOWN) {
      out.println("    … and " + count(files.size() - FILES_SHOWN, "more file"));
    }
  }
}
