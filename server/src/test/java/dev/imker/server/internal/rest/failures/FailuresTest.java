package dev.imker.server.internal.rest.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageIndex;
import dev.imker.model.job.SweepAxis;
import dev.imker.store.blobs.BlobMissingException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailuresTest {
  private static final StageIndex STAGES =
      StageIndex.of(
          JobSpec.of(
              "job",
              "lab",
              JobKind.COMMAND,
              Stage.of(
                  List.of("run"),
                  List.of(
                      SweepAxis.of("size", List.of("small", "large")),
                      SweepAxis.range("n", 1, 50, 1, 0)))));

  private static FailureGroups.Failed failed(int index, String message, int exitCode) {
    return new FailureGroups.Failed(index, message, true, exitCode, index % 2 == 0 ? "a" : "b");
  }

  @Test
  void failures_that_differ_in_numbers_are_one_group() {
    FailureGroups groups = new FailureGroups(new JobId(12), STAGES);
    groups.add(failed(2, "odd one out", 1));
    groups.add(failed(3, "no block 17", 7));
    groups.add(failed(4, "no block 18", 7));
    groups.add(failed(5, "no block 17", 8));
    groups.add(failed(60, "no block 9", 7));
    assertThat(groups.all())
        .extracting(FailuresView.Group::message, FailuresView.Group::count)
        .containsExactly(tuple("no block 17", 3), tuple("odd one out", 1), tuple("no block 17", 1));
    FailuresView.Group first = groups.all().getFirst();
    assertThat(first.varies()).isTrue();
    assertThat(first.tasks()).isEqualTo("12.4..5,12.61");
    assertThat(first.first()).isEqualTo(4);
    assertThat(first.nodes()).isEqualTo(Map.of("a", 2, "b", 1));
    assertThat(first.params()).containsEntry("size", List.of("small", "large"));
  }

  private static void compare(
      Contrast contrast, int tasks, IntFunction<String> node, IntPredicate failed) {
    IntStream.range(0, tasks).filter(failed).forEach(i -> contrast.addFailed(i, node.apply(i)));
    IntStream.range(0, tasks)
        .filter(failed.negate())
        .forEach(i -> contrast.addDone(i, node.apply(i)));
  }

  @Test
  void a_value_that_failed_tasks_share_and_others_have_not_is_told() {
    Contrast contrast = new Contrast(STAGES);
    compare(contrast, 100, i -> i < 50 ? "a" : "b", i -> i >= 50 && i % 10 == 0);
    assertThat(contrast.differences())
        .extracting(FailuresView.Difference::kind, FailuresView.Difference::value)
        .containsExactlyInAnyOrder(tuple("param", "large"), tuple("node", "b"));
  }

  @Test
  void a_range_of_numbers_is_told_where_no_single_value_tells() {
    Contrast contrast = new Contrast(STAGES);
    compare(contrast, 50, _ -> "a", i -> i >= 40);
    FailuresView.Difference only = contrast.differences().getFirst();
    assertThat(contrast.differences()).hasSize(1);
    assertThat(only.name()).isEqualTo("n");
    assertThat(only.from()).isEqualTo("41");
    assertThat(only.to()).isEqualTo("50");
    assertThat(only.succeeded()).isZero();
    assertThat(only.ofSucceeded()).isEqualTo(40);
  }

  @Test
  void a_range_is_told_although_single_tasks_failed_elsewhere() {
    Contrast contrast = new Contrast(STAGES);
    compare(contrast, 50, _ -> "a", i -> (i >= 30 && i < 45 && i != 33) || i == 3);
    FailuresView.Difference only = contrast.differences().getFirst();
    assertThat(contrast.differences()).hasSize(1);
    assertThat(only.from() + ".." + only.to()).isEqualTo("31..45");
    assertThat(only.failed() + "/" + only.ofFailed()).isEqualTo("14/15");
    assertThat(only.succeeded() + "/" + only.ofSucceeded()).isEqualTo("1/35");
  }

  @Test
  void of_many_numbers_a_group_tells_the_range() {
    FailureGroups groups = new FailureGroups(new JobId(12), STAGES);
    IntStream.range(30, 45).forEach(i -> groups.add(failed(i, "no block " + i, 7)));
    assertThat(groups.all().getFirst().params())
        .isEqualTo(Map.of("size", List.of("small"), "n", List.of("31..45")));
  }

  @Test
  void what_failed_and_other_tasks_have_alike_is_not_told() {
    Contrast contrast = new Contrast(STAGES);
    compare(contrast, 100, _ -> "a", i -> i % 2 == 0);
    assertThat(contrast.differences()).isEmpty();
  }

  @Test
  void the_last_line_says_what_happened_not_where() throws IOException {
    assertThat(last("begun\n\u001B[31mout of ink\u001B[0m\n\n")).isEqualTo("out of ink");
    assertThat(last("IOException: torn\n\tat a.B.c(B.java:3)\n\t... 3 more\n"))
        .isEqualTo("IOException: torn");
    assertThat(last("still busy\nTerminated\n")).isEqualTo("still busy");
    assertThat(last("too much\nrun.sh: line 3:  1234 Killed   ./work\n")).isEqualTo("too much");
    assertThat(last("Killed the wrong one\n")).isEqualTo("Killed the wrong one");
    assertThat(last("")).isEmpty();
  }

  private static String last(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return LastLine.of(
        new CapturedOutput(bytes.length, bytes, null),
        (blob, offset) -> {
          throw new AssertionError("there is no blob");
        });
  }

  @Test
  void of_long_output_only_the_end_is_read() throws IOException {
    byte[] bytes = ("line\n".repeat(100_000) + "the end").getBytes(StandardCharsets.UTF_8);
    CapturedOutput output = new CapturedOutput(bytes.length, new byte[0], BlobId.of(bytes));
    String line =
        LastLine.of(
            output,
            (blob, offset) -> {
              assertThat(offset).isGreaterThan(bytes.length - 10_000L);
              return new ByteArrayInputStream(bytes, (int) offset, bytes.length - (int) offset);
            });
    assertThat(line).isEqualTo("the end");
  }

  @Test
  void output_that_is_gone_says_nothing() throws IOException {
    CapturedOutput output = new CapturedOutput(9, new byte[0], BlobId.of(new byte[0]));
    assertThat(
            LastLine.of(
                output,
                (blob, offset) -> {
                  throw new BlobMissingException(blob);
                }))
        .isEmpty();
  }
}
