package dev.imker.chaos.simulated;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.Lease;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.TaskTemplate;
import dev.imker.server.live.LiveJob;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.Phase;
import java.util.List;

/** What the gateway makes of messages and messages of. */
final class Messages {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Messages() {}

  static JobDescription description(LiveJob job, int stage) {
    try {
      TaskTemplate template =
          TaskTemplate.of(job.id(), job.user(), job.specForAgents(stage), stage);
      return JobDescription.newBuilder()
          .setJob(job.id().value())
          .setStage(stage)
          .setSpecJson(ByteString.copyFrom(JSON.writeValueAsBytes(template)))
          .build();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static Assignment assignment(
      Lease lease, int attempt, Granted granted, LiveJob job, int stage, boolean undo) {
    return Assignment.newBuilder()
        .setLease(WireLeases.of(lease))
        .setAttempt(attempt)
        .setStage(stage)
        .addAllParams(job.stages().params(lease.task().index()))
        .setPhase(undo ? Phase.UNDO : Phase.RUN)
        .setGranted(granted.text())
        .build();
  }

  static AttemptOutcome outcome(Finished report) {
    return switch (report.getOutcome()) {
      case SUCCEEDED -> AttemptOutcome.SUCCEEDED;
      case STOPPED -> AttemptOutcome.STOPPED;
      case GIVEN_BACK -> AttemptOutcome.GIVEN_BACK;
      case FAILED, OUTCOME_UNSPECIFIED, UNRECOGNIZED -> AttemptOutcome.FAILED;
    };
  }

  /**
   * @param nowMillis agents that have run nothing look at the clock of the machine
   */
  static AttemptReport report(Finished report, long nowMillis) {
    byte[] out = report.getStdout().toByteArray();
    return new AttemptReport(
        outcome(report),
        report.getExitCode(),
        report.getStartedMillis(),
        Math.min(nowMillis, report.getEndedMillis()),
        1,
        1,
        out.length == 0 ? CapturedOutput.NONE : new CapturedOutput(out.length, out, null),
        CapturedOutput.NONE,
        List.of(),
        report.getError());
  }
}
