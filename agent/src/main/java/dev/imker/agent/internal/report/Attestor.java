package dev.imker.agent.internal.report;

import com.google.protobuf.ByteString;
import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.ResultFile;
import dev.imker.model.attest.Attestation;
import dev.imker.model.attest.Statement;
import dev.imker.model.job.JobSeal;
import dev.imker.model.job.TaskTemplate;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Outcome;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Signs reports of finished tasks with the key of the node. Reports sent together share a
 * signature, which takes as long as thousands of hashes. Owned by the runner's thread.
 */
public interface Attestor {
  /** Signs nothing. */
  Attestor NONE = reports -> reports;

  /** The same reports in the same order, signed. */
  List<Delivery.Report> attest(List<Delivery.Report> reports);

  static Attestor of(AgentId agent, PrivateKey nodeKey) {
    return new Signing(agent, new NodeSignature(nodeKey));
  }

  /** With the key of the node. */
  final class Signing implements Attestor {
    private static final int MAX_ORDERS = 1_000;

    private final AgentId agent;
    private final NodeSignature signature;
    private final IdentityHashMap<TaskTemplate, String> orders = new IdentityHashMap<>();

    private Signing(AgentId agent, NodeSignature signature) {
      this.agent = agent;
      this.signature = signature;
    }

    @Override
    public List<Delivery.Report> attest(List<Delivery.Report> reports) {
      List<Delivery.Report> signed = new ArrayList<>(reports);
      List<Integer> positions = new ArrayList<>();
      List<Attestation.Signable> statements = new ArrayList<>();
      for (int i = 0; i < reports.size(); i++) {
        Attestation.Signable statement = statement(reports.get(i));
        if (statement != null) {
          positions.add(i);
          statements.add(statement);
        }
      }
      if (statements.isEmpty()) {
        return signed;
      }
      List<byte[]> attestations = Attestation.sign(statements, signature::of);
      for (int i = 0; i < attestations.size(); i++) {
        Delivery.Report report = signed.get(positions.get(i));
        Finished.Builder finished = report.finished().toBuilder();
        finished.setAttestation(ByteString.copyFrom(attestations.get(i)));
        signed.set(positions.get(i), new Delivery.Report(report.held(), finished.build()));
      }
      return signed;
    }

    private Attestation.@Nullable Signable statement(Delivery.Report report) {
      HeldLease held = report.held();
      TaskRun run = held.run;
      Finished finished = report.finished();
      boolean ended =
          finished.getOutcome() == Outcome.SUCCEEDED || finished.getOutcome() == Outcome.FAILED;
      if (run == null || !ended || finished.getStartedMillis() == 0 || held.undo()) {
        return null;
      }
      Statement statement =
          new Statement(
              held.lease(),
              held.attempt(),
              agent,
              order(run.template),
              held.params(),
              Statement.hashOf(held.inputs()),
              AttemptOutcome.valueOf(finished.getOutcome().name()),
              finished.getExitCode(),
              finished.getStartedMillis(),
              finished.getEndedMillis(),
              hash(finished.getStdoutSha256(), finished.getStdout()),
              hash(finished.getStderrSha256(), finished.getStderr()),
              finished.getResultsList().stream()
                  .map(
                      file ->
                          new ResultFile(
                              file.getPath(),
                              new BlobId(file.getSha256()),
                              file.getSize(),
                              file.getExecutable()))
                  .toList());
      return new Attestation.Signable(statement, held.inputs());
    }

    private String order(TaskTemplate template) {
      if (orders.size() > MAX_ORDERS) {
        orders.clear();
      }
      return orders.computeIfAbsent(
          template,
          stage -> BlobId.of(JobSeal.text(stage).getBytes(StandardCharsets.UTF_8)).sha256());
    }

    private static String hash(String sha256, ByteString inline) {
      return sha256.isEmpty() ? BlobId.of(inline.toByteArray()).sha256() : sha256;
    }
  }
}
