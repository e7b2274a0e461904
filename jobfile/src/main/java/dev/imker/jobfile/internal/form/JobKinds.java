package dev.imker.jobfile.internal.form;

import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.TaskRules;
import dev.imker.model.validation.JobLimits;
import dev.imker.model.validation.JobNames;
import dev.imker.model.validation.JobValidator;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Kinds of values used by a few fields only. */
final class JobKinds {
  private JobKinds() {}

  static Kind<String> name() {
    return Kinds.written(
        "name",
        "letters, digits, -, _ and single dots, starting with a letter",
        "^" + JobNames.PATTERN + "$",
        text -> JobNames.isValid(text) ? text : null);
  }

  static Kind<Long> moment() {
    return Kinds.written(
        "moment",
        "2026-11-16T22:00:00Z or 2026-11-16T22:00+01:00",
        "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d)$",
        text -> {
          try {
            return OffsetDateTime.parse(text).toInstant().toEpochMilli();
          } catch (DateTimeException e) {
            return null;
          }
        });
  }

  static Kind<Long> noneOr(Kind<Long> kind) {
    return wordOr("none", 0L, kind);
  }

  static <T> Kind<T> wordOr(String word, T meaning, Kind<T> kind) {
    return Kinds.of(
        (tree, spot, findings) ->
            tree instanceof Tree.Text text && text.value().equals(word)
                ? meaning
                : kind.read(tree, spot.field(), findings),
        Map.of("anyOf", List.of(Kinds.choice(Map.of(word, meaning)).schema(), kind.schema())));
  }

  static Kind<OnFailure> onFailure() {
    Map<String, OnFailure> ways = new LinkedHashMap<>();
    ways.put("carry-on", OnFailure.CARRY_ON);
    ways.put("abort", new OnFailure(OnFailure.Way.ABORT, 0));
    ways.put("rollback", new OnFailure(OnFailure.Way.ROLLBACK, 0));
    ways.put(
        "restart",
        new OnFailure(OnFailure.Way.RESTART, OnFailure.defaultLimit(OnFailure.Way.RESTART)));
    Field<Integer> restart =
        new Field<>("restart", Kinds.whole(1, JobLimits.MAX_RESTARTS), "How many times at most.");
    return Kinds.textOr(
        Kinds.choice(ways),
        Kinds.map(
            new Form(List.of(restart), Set.of("restart")),
            filled -> new OnFailure(OnFailure.Way.RESTART, filled.get(restart, 1))));
  }

  static Kind<Notices> notices() {
    Kind<List<String>> addresses =
        Kinds.oneOrMore(
            Kinds.written(
                "mail address or web hook",
                "ann@example.org or https://example.org/hook",
                "@|^https?://",
                text -> JobValidator.isMailAddress(text) || isHook(text) ? text : null));
    Field<List<String>> mail =
        new Field<>(
            "mail",
            Kinds.oneOrMore(
                Kinds.written(
                    "mail address",
                    "ann@example.org",
                    "@",
                    text -> JobValidator.isMailAddress(text) ? text : null)),
            "Mail addresses.");
    Field<List<String>> hooks =
        new Field<>(
            "web-hook",
            Kinds.oneOrMore(
                Kinds.written(
                    "web hook",
                    "https://example.org/hook",
                    "^https?://",
                    text -> isHook(text) ? text : null)),
            "Addresses that get a POST request.");
    Kind<Notices> plain = Kinds.map(addresses, JobKinds::sorted);
    Kind<Notices> form =
        Kinds.map(
            new Form(List.of(mail, hooks), Set.of()),
            filled -> new Notices(filled.get(mail, List.of()), filled.get(hooks, List.of())));
    return Kinds.of(
        (tree, spot, findings) ->
            (tree instanceof Tree.Entries ? form : plain).read(tree, spot.field(), findings),
        Map.of("anyOf", List.of(plain.schema(), form.schema())));
  }

  private static Notices sorted(List<String> addresses) {
    return new Notices(
        addresses.stream().filter(a -> !isHook(a)).toList(),
        addresses.stream().filter(JobKinds::isHook).toList());
  }

  private static boolean isHook(String address) {
    return JobValidator.isWebHook(address);
  }

  static Kind<JobForm.Stdin> stdin() {
    Field<String> file = new Field<>("file", Kinds.text(), "File whose content is read.");
    return Kinds.textOr(
        Kinds.map(Kinds.text(), text -> new JobForm.Stdin(text, "")),
        Kinds.map(new Form(List.of(file), Set.of("file")), stdin(file)));
  }

  private static Function<Filled, JobForm.@Nullable Stdin> stdin(Field<String> file) {
    return filled -> {
      String name = filled.get(file);
      return name == null ? null : new JobForm.Stdin("", name);
    };
  }

  static Kind<JobForm.Checkpoint> checkpoint() {
    Field<List<String>> files =
        new Field<>("files", Kinds.oneOrMore(Kinds.text()), "Names and patterns.");
    Field<Long> every =
        new Field<>("every", noneOr(Kinds.duration()), "How often; 30m by default.");
    return Kinds.map(
        new Form(List.of(files, every), Set.of("files")),
        filled ->
            new JobForm.Checkpoint(
                filled.get(files, List.of()),
                filled.get(
                    every, TaskRules.defaultCheckpointMillis(filled.get(files, List.of())))));
  }
}
