package dev.imker.server.internal.rest.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.ResultFile;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageIndex;
import dev.imker.model.job.SweepAxis;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private static final StageIndex STAGES =
      StageIndex.of(
          JobSpec.of(
              "job",
              "lab",
              JobKind.COMMAND,
              Stage.of(List.of("run"), List.of(SweepAxis.range("n", 1, 5, 1, 0)))));

  private static AttemptReport report(CapturedOutput stdout, List<ResultFile> files) {
    return new AttemptReport(
        AttemptOutcome.SUCCEEDED, 0, 1_000, 3_500, 0, 0, stdout, CapturedOutput.NONE, files, "");
  }

  private static CapturedOutput inline(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new CapturedOutput(bytes.length, bytes, null);
  }

  @Test
  void the_last_value_of_each_metric_counts_and_what_is_no_number_does_not() throws IOException {
    Metrics metrics = new Metrics(STAGES, (blob, offset) -> new ByteArrayInputStream(new byte[0]));
    MetricsView.Row row =
        metrics.row(
            2,
            "a",
            report(
                inline(
                    """
                    imker:metric loss=0.9
                    not imker:metric x=1
                    imker:metric loss=3e-1 f1=0.5 name=ann rest=NaN
                    """),
                List.of(
                    new ResultFile("a/Plot.PNG", BlobId.of(new byte[0]), 0, false),
                    new ResultFile("data.csv", BlobId.of(new byte[0]), 0, false))));
    assertThat(row.metrics()).isEqualTo(Map.of("duration", 2.5, "loss", 0.3, "f1", 0.5));
    assertThat(row.params()).isEqualTo(Map.of("n", "3"));
    assertThat(row.task()).isEqualTo(3);
    assertThat(row.pictures()).containsExactly("a/Plot.PNG");
  }

  @Test
  void the_end_of_long_output_is_read() throws IOException {
    byte[] bytes =
        ("noise\n".repeat(200_000) + "imker:metric loss=4\n").getBytes(StandardCharsets.UTF_8);
    Metrics metrics =
        new Metrics(
            STAGES,
            (blob, offset) ->
                new ByteArrayInputStream(bytes, (int) offset, bytes.length - (int) offset));
    CapturedOutput output = new CapturedOutput(bytes.length, new byte[0], BlobId.of(bytes));
    assertThat(metrics.row(0, "a", report(output, List.of())).metrics()).containsEntry("loss", 4.0);
  }
}
