package dev.imker.jobfile.internal.stage;

import dev.imker.jobfile.files.Globs;
import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Hints;
import dev.imker.jobfile.findings.Spot;
import dev.imker.jobfile.internal.form.InputEntry.AfterEntry;
import dev.imker.model.InputException;
import dev.imker.model.Selector;
import dev.imker.model.job.After;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Resolves references in a file to stages of the job or tasks of other jobs. */
public record Predecessors(List<String> stages, Findings findings) {
  private static final Pattern OTHER_JOBS =
      Pattern.compile("\\d+(\\.\\d+)?(\\.\\.\\d+)?|last(\\.\\d+(\\.\\.\\d+)?)?");

  /**
   * @param self a pattern does not match the stage that contains it
   */
  List<After> resolve(String self, List<AfterEntry> entries) {
    List<After> all = new ArrayList<>();
    for (AfterEntry entry : entries) {
      if (entry.name().isEmpty()) {
        resolveOne(entry).ifPresent(all::add);
      } else if (Globs.isPattern(entry.name())) {
        all.addAll(matching(self, entry));
      } else {
        named(entry).ifPresent(all::add);
      }
    }
    return all.stream().distinct().toList();
  }

  private List<After> matching(String self, AfterEntry entry) {
    String problem = Globs.problem(entry.name());
    if (problem != null) {
      findings.error(
          entry.spot(), "'%s' is not a pattern: %s.".formatted(entry.name(), problem), "");
      return List.of();
    }
    var matcher = Globs.matcher(entry.name());
    List<After> all =
        stages.stream()
            .filter(stage -> !stage.equals(self) && !stage.isEmpty() && matcher.test(stage))
            .map(stage -> After.stage(stage, entry.matching()))
            .toList();
    if (all.isEmpty()) {
      findings.error(
          entry.spot(),
          "No other stage of this job matches '" + entry.name() + "'.",
          "Stages: " + String.join(", ", stages) + ".");
    }
    return all;
  }

  private Optional<After> named(AfterEntry entry) {
    if (stages.contains(entry.name())) {
      return Optional.of(After.stage(entry.name(), entry.matching()));
    }
    if (OTHER_JOBS.matcher(entry.name()).matches() || entry.name().contains(",")) {
      return tasks(entry.name(), entry.spot());
    }
    findings.error(
        entry.spot(),
        "There is no stage '" + entry.name() + "' in this job.",
        (suggestion(entry.name()) + " Another job is named with {tasks: " + entry.name() + "}.")
            .strip());
    return Optional.empty();
  }

  private String suggestion(String name) {
    List<String> named = stages.stream().filter(stage -> !stage.isEmpty()).toList();
    return named.isEmpty() ? "It has no stages with names." : Hints.suggest(name, named);
  }

  /** References given as a stage, as tasks or as data. */
  Optional<After> resolveOne(AfterEntry entry) {
    if (!entry.tasks().isEmpty()) {
      return tasks(entry.tasks(), entry.spot());
    }
    if (!entry.data().isEmpty()) {
      return Optional.of(After.data(entry.data()));
    }
    if (!stages.contains(entry.stage())) {
      findings.error(
          entry.spot(),
          "There is no stage '" + entry.stage() + "' in this job.",
          suggestion(entry.stage()));
      return Optional.empty();
    }
    return Optional.of(After.stage(entry.stage(), entry.matching()));
  }

  private Optional<After> tasks(String selector, Spot spot) {
    try {
      Selector.parse(selector);
      return Optional.of(After.tasks(selector));
    } catch (InputException e) {
      findings.error(spot, String.valueOf(e.getMessage()), "");
      return Optional.empty();
    }
  }
}
