package dev.imker.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.jobfile.draft.Reading;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.BlobId;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import dev.imker.testbase.Trials;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Writing a job and reading it gives the same job. */
class RoundTripProperties {
  private static final List<String> TEXTS =
      List.of(
          "echo hello",
          "no",
          "010",
          "1e3",
          "null",
          "~",
          "'",
          "\"",
          "a: b",
          "# no comment",
          "*.csv",
          "&x",
          "!tag",
          "line one\nline two\n",
          "  spaces  ",
          "tab\there",
          "ümläut ☃",
          "{a}",
          "[b]",
          "true",
          "-",
          "? x",
          "%d",
          "@at",
          "`tick`",
          "\\n",
          "a\u00a0b",
          "x\n",
          "\nx",
          "1..5",
          "a,b",
          "$${HOME}",
          "=",
          "<<",
          "\u2028",
          "\ud83d\ude00");

  private final class Maker {
    final Random random;

    Maker(long seed) {
      random = new Random(seed);
    }

    <T> T one(List<T> choices) {
      return choices.get(random.nextInt(choices.size()));
    }

    List<String> texts(int most) {
      List<String> all = new ArrayList<>();
      for (int i = random.nextInt(most + 1); i > 0; i--) {
        all.add(one(TEXTS));
      }
      return all;
    }

    boolean flip() {
      return random.nextBoolean();
    }

    List<SweepAxis> sweep() {
      List<SweepAxis> sweep = new ArrayList<>();
      int groups = 0;
      for (int i = random.nextInt(4); i > 0; i--) {
        String name = "p" + sweep.size();
        if (flip()) {
          sweep.add(axis(name));
        } else {
          int size = 1 + random.nextInt(3);
          String mark = "zip" + ++groups;
          for (int k = 0; k < 2; k++) {
            List<String> values = new ArrayList<>();
            for (int v = 0; v < size; v++) {
              values.add(one(TEXTS));
            }
            sweep.add(SweepAxis.of("p" + sweep.size(), values).zippedAs(mark));
          }
        }
      }
      return sweep;
    }

    private SweepAxis axis(String name) {
      if (flip()) {
        List<String> values = texts(4);
        return SweepAxis.of(name, values.isEmpty() ? List.of("x") : values);
      }
      return SweepAxis.range(
          name,
          random.nextInt(200) - 100,
          random.nextInt(200) - 100,
          1 + random.nextInt(5),
          flip() ? 0 : 1 + random.nextInt(5));
    }

    Requirements needs() {
      List<Need> needs = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        needs.add(need());
      }
      return new Requirements(needs);
    }

    private Need need() {
      boolean whole = flip();
      boolean auto = flip();
      Map<String, Double> resources =
          flip() ? Map.of() : Map.of("fpga", 1.0, "no", (1 + random.nextInt(300)) / 100.0);
      double cores = whole ? 0 : random.nextInt(300) / 100.0;
      double gpus = random.nextInt(3);
      long memory = auto ? 0 : random.nextInt(3) * 1_000_000L;
      Set<String> grows = new HashSet<>();
      if (flip()) {
        Map.of("cores", cores, "gpus", gpus, "memory", (double) memory)
            .forEach((name, amount) -> grows.addAll(amount > 0 ? Set.of(name) : Set.of()));
        grows.addAll(resources.keySet());
      }
      return new Need(
          flip() ? Set.of() : Set.of("linux", "macos"),
          flip() ? Set.of() : Set.of("x86_64"),
          cores,
          gpus == 2 && grows.isEmpty() ? 0.25 : gpus,
          memory,
          random.nextInt(3) * (1L << 30),
          flip() ? Set.of() : Set.of("fast", one(TEXTS)),
          flip() ? Map.of() : Map.of("java", ">=21 <26", "python", ""),
          random.nextInt(3) * (5L << 20),
          whole,
          resources,
          auto,
          grows);
    }

    TaskRules rules() {
      boolean checkpoint = flip();
      boolean gang = flip();
      return new TaskRules(
          1 + random.nextInt(9),
          random.nextInt(3) * 12_345L,
          random.nextInt(3) * 60_000L,
          !checkpoint && flip(),
          1 + random.nextInt(3),
          flip() ? "" : one(TEXTS),
          random.nextInt(10),
          flip(),
          checkpoint ? List.of("state*.bin") : List.of(),
          checkpoint ? random.nextInt(2) * 1234L : 0,
          flip() ? "" : one(TEXTS),
          flip() ? "" : "run-${task}",
          gang,
          gang ? 0 : random.nextInt(3),
          random.nextInt(3) * 1234L,
          gang ? 0 : random.nextInt(3) * 1_799_999_999_123L,
          "");
    }

    Stage stage(String name, List<String> before) {
      List<After> after = new ArrayList<>();
      List<DataInput> data = new ArrayList<>();
      for (String other : before) {
        if (flip()) {
          after.add(After.stage(other, After.Matching.ALL));
        }
        if (flip()) {
          data.add(
              new DataInput(
                  After.stage(other, After.Matching.ALL), "*.csv", flip() ? "" : "in/${task}"));
        }
      }
      if (flip()) {
        after.add(After.tasks("12.3..7"));
      }
      if (flip()) {
        after.add(After.data(flip() ? "rain" : "rain@3"));
      }
      if (flip()) {
        after.add(After.tasks("9").orFailed());
      }
      List<String> command = texts(3);
      List<String> full =
          command.isEmpty() || command.getFirst().isBlank() ? List.of("x") : command;
      return new Stage(
          name,
          full,
          "",
          sweep(),
          flip() ? Map.of() : Map.of("A", one(TEXTS), "B", ""),
          flip()
              ? List.of()
              : List.of(
                  new InputFile(
                      "bin/tool", new BlobId("0f".repeat(32)), 77, flip(), flip() ? "" : "linux")),
          data,
          flip() ? List.of("*") : flip() ? List.of() : List.of("out/**", "a.txt"),
          needs(),
          rules(),
          after);
    }

    JobSpec job() {
      List<Stage> stages = new ArrayList<>();
      List<String> names = new ArrayList<>();
      boolean single = flip();
      for (int i = single ? 1 : 2 + random.nextInt(3); i > 0; i--) {
        String name = single ? "" : "stage-" + i;
        stages.add(stage(name, names));
        names.add(name);
        if (single) {
          break;
        }
      }
      JobKind kind = flip() ? JobKind.COMMAND : JobKind.JAVA;
      return new JobSpec(
          JobSpec.CURRENT_VERSION,
          "some-job",
          "some_project",
          kind,
          random.nextInt(10),
          stages,
          one(
              List.of(
                  OnFailure.CARRY_ON,
                  new OnFailure(OnFailure.Way.ABORT, 0),
                  new OnFailure(
                      kind == JobKind.JAVA ? OnFailure.Way.ROLLBACK : OnFailure.Way.ABORT, 0),
                  new OnFailure(OnFailure.Way.RESTART, 4))),
          flip() ? Notices.NOBODY : new Notices(List.of("a@example.org"), List.of("https://h")));
    }
  }

  @Trials(500)
  void what_was_written_is_read_again(long seed) {
    JobSpec job = new Maker(seed).job();
    String yaml = JobFileWriter.write(job);
    Reading reading = JobFileReader.read("job.yaml", yaml, JobFiles.unknown());
    assertThat(reading.findings()).as(yaml).isEmpty();
    assertThat(reading.jobs().getFirst().spec()).as(yaml).isEqualTo(job);
  }

  @Trials(200)
  void what_was_written_fits_the_schema(long seed) {
    String yaml = JobFileWriter.write(new Maker(seed).job());
    assertThat(SchemaOpinion.of(yaml)).as(yaml).isEmpty();
  }
}
