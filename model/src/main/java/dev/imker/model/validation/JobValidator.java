package dev.imker.model.validation;

import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/**
 * Decides whether a job can be accepted. Every way into the pool ends here; readers only check that
 * what they read has the right form.
 */
public final class JobValidator {
  /** Visible ASCII only: addresses are part of an index, which is limited in bytes. */
  private static final Pattern MAIL =
      Pattern.compile("[\\x21-\\x7e&&[^@]]{1,200}@[\\x21-\\x7e&&[^@]]{1,200}");

  private static final Pattern WEB_HOOK = Pattern.compile("https?://[\\x21-\\x7e]{1,1000}");

  private final JobSpec job;
  private final IntPredicate hasUnknownParameters;
  private final Violations violations = new Violations();

  private JobValidator(JobSpec job, IntPredicate hasUnknownParameters) {
    this.job = job;
    this.hasUnknownParameters = hasUnknownParameters;
  }

  /** Everything that is wrong with a job; empty if it can be accepted. */
  public static List<Violation> check(JobSpec job) {
    return check(job, stage -> false);
  }

  /**
   * @param hasUnknownParameters the stages whose sweep could not be read completely, where an
   *     unknown name may be valid
   */
  public static List<Violation> check(JobSpec job, IntPredicate hasUnknownParameters) {
    JobValidator validator = new JobValidator(job, hasUnknownParameters);
    validator.check();
    return validator.violations.all();
  }

  public static boolean isMailAddress(String text) {
    return MAIL.matcher(text).matches();
  }

  public static boolean isWebHook(String text) {
    return WEB_HOOK.matcher(text).matches();
  }

  private void check() {
    violations.range("version", job.version(), 1, JobSpec.CURRENT_VERSION);
    checkName("name", job.name());
    checkName("project", job.project());
    violations.range("priority", job.priority(), 0, JobLimits.MAX_PRIORITY);
    checkOnFailure(job.onFailure());
    checkNotices(job.notices());
    List<Stage> stages = job.stages();
    violations.count("stages", stages.size(), JobLimits.MAX_STAGES);
    Set<String> names = new HashSet<>();
    boolean countable = true;
    for (int i = 0; i < stages.size(); i++) {
      Stage stage = stages.get(i);
      checkStageName("stages[" + i + "].name", stage.name(), names);
      var checks = new StageValidator(stage, "stages[" + i + "].", job.kind(), violations);
      checks.check(hasUnknownParameters.test(i));
      countable &= checks.isCountable();
    }
    if (countable) {
      checkTogether(stages);
    }
  }

  private void checkTogether(List<Stage> stages) {
    long tasks = stages.stream().mapToLong(Stage::taskCount).sum();
    if (tasks > JobSpec.MAX_TASKS) {
      violations.add(
          "stages",
          "The job creates more than %,d tasks.".formatted(JobSpec.MAX_TASKS),
          "Split it into several jobs.");
    }
    new PredecessorChecks(stages, violations).check();
  }

  private void checkName(String field, String name) {
    if (!JobNames.isValid(name)) {
      violations.add(
          field, "'%s' is not a valid name.".formatted(name), "A name has " + JobNames.RULE);
    }
  }

  private void checkStageName(String field, String name, Set<String> names) {
    if (name.isEmpty() && job.stages().size() > 1) {
      violations.add(field, "The stage has no name.", "With several stages each needs one.");
    } else if (!name.isEmpty()) {
      checkName(field, name);
      if (!names.add(name)) {
        violations.add(field, "There are two stages '%s'.".formatted(name), "Rename one.");
      }
    }
  }

  private void checkOnFailure(OnFailure onFailure) {
    if (onFailure.way() == OnFailure.Way.ROLLBACK && job.kind() != JobKind.JAVA) {
      violations.add(
          "onFailure.way",
          "ROLLBACK needs tasks that can be undone, as those of kind JAVA can; a command"
              + " cannot.",
          "Choose ABORT, RESTART or CARRY_ON.");
    }
    int least = onFailure.way() == OnFailure.Way.RESTART ? 1 : 0;
    violations.range("onFailure.limit", onFailure.limit(), least, JobLimits.MAX_RESTARTS);
  }

  private void checkNotices(Notices notices) {
    checkAddresses("notices.mail", notices.mail(), MAIL, "NAME@HOST");
    checkAddresses("notices.webHooks", notices.webHooks(), WEB_HOOK, "https://HOST/PATH");
  }

  private void checkAddresses(String field, List<String> texts, Pattern form, String example) {
    violations.count(field, texts.size(), JobLimits.MAX_ADDRESSES);
    List<String> wrong = new ArrayList<>(texts);
    wrong.removeIf(form.asMatchPredicate());
    for (String text : wrong) {
      violations.add(
          field,
          "'%s' does not have the form %s.".formatted(text, example),
          "Correct or remove it.");
    }
  }
}
