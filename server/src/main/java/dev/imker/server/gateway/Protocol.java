package dev.imker.server.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.AgentOffer;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.ResultFile;
import dev.imker.model.attest.Attestation;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.TaskTemplate;
import dev.imker.model.text.SafeText;
import dev.imker.model.validation.JobLimits;
import dev.imker.server.live.AgentKeys;
import dev.imker.server.live.LiveJob;
import dev.imker.server.usage.UsageHistory;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.TaskUsage;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Translates between messages and the domain. */
final class Protocol {
  /** The newest version of the conversation that this server speaks. */
  static final int VERSION = 2;

  /** The oldest: since version 2 agents prove who they are, and none works without that. */
  static final int OLDEST_VERSION = 2;

  static final int MAX_NAME_CHARS = 100;
  private static final int MAX_FACT_CHARS = 500;
  private static final int MAX_FACTS = 200;
  private static final int MAX_ITEMS = 1000;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@ -]{0,127}");

  private static final JsonMapper MAPPER =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private Protocol() {}

  static List<Lease> leases(List<dev.imker.wire.proto.Lease> leases) {
    List<Lease> result = new ArrayList<>(leases.size());
    for (dev.imker.wire.proto.Lease lease : leases) {
      result.add(WireLeases.of(lease));
    }
    return result;
  }

  /**
   * The newest version that both sides speak; empty if there is none.
   *
   * @param theirOldest 0 if they speak only one
   */
  static OptionalInt agree(int oldest, int newest, int theirOldest, int theirNewest) {
    int agreed = Math.min(newest, theirNewest);
    int floor = Math.max(oldest, theirOldest == 0 ? theirNewest : theirOldest);
    return agreed >= floor ? OptionalInt.of(agreed) : OptionalInt.empty();
  }

  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /**
   * @param maxSlots more than these are not believed
   */
  static AgentHello hello(Hello hello, ToIntFunction<Platform> maxSlots) {
    Platform platform = platform(hello.getPlatformJson());
    if (hello.getSlots() < 0) {
      throw new ImkerException("An agent cannot have that many slots.");
    }
    return new AgentHello(
        new AgentId(hello.getAgentId()),
        new NodeId(hello.getNodeId()),
        SafeText.line(hello.getAgentName(), MAX_NAME_CHARS),
        SafeText.line(hello.getVersion(), MAX_NAME_CHARS),
        platform,
        Math.min(hello.getSlots(), maxSlots.applyAsInt(platform)),
        hello.getIncarnation(),
        leases(hello.getHeldList()),
        new AgentOffer(hello.getServesList(), hello.getLongestTaskMillis())
            .withSandbox(hello.getSandboxed()));
  }

  static AgentKeys.Claim claim(Hello hello) {
    Base64.Encoder base64 = Base64.getEncoder();
    return new AgentKeys.Claim(
        new AgentId(hello.getAgentId()),
        new NodeId(hello.getNodeId()),
        SafeText.line(hello.getAgentName(), MAX_NAME_CHARS),
        base64.encodeToString(hello.getPublicKey().toByteArray()),
        base64.encodeToString(hello.getNodeKey().toByteArray()));
  }

  /** What an agent says of leases by their token; those that it says nothing of are left out. */
  static <T> Map<Lease, T> byLease(
      List<dev.imker.wire.proto.Lease> held, Map<Long, T> saidByToken) {
    Map<Lease, T> said = new LinkedHashMap<>();
    for (dev.imker.wire.proto.Lease lease :
        saidByToken.isEmpty() ? List.<dev.imker.wire.proto.Lease>of() : held) {
      T one = saidByToken.get(lease.getToken());
      if (one != null) {
        said.put(WireLeases.of(lease), one);
      }
    }
    return said;
  }

  static UsageHistory.Used used(TaskUsage usage) {
    return new UsageHistory.Used(
        Math.max(0, usage.getCpuMillis()),
        Math.max(0, usage.getMemoryBytes()),
        Math.max(0, usage.getDiskBytes()));
  }

  /** Why an agent's tasks are frozen; empty if they are not. */
  static String pause(SignOfLife sign) {
    if (!sign.getPaused()) {
      return "";
    }
    return sign.getPauseReason().isEmpty() ? "by its owner" : sign.getPauseReason();
  }

  static Platform platform(String json) {
    try {
      return plain(MAPPER.readValue(json, Platform.class));
    } catch (JsonProcessingException | NullPointerException e) {
      throw new ImkerException("The agent's description of its platform cannot be parsed.", e);
    }
  }

  /** What an agent says of its machine is shown to people, in terminals too. */
  private static Platform plain(Platform said) {
    return new Platform(
        word(said.os()),
        word(said.osVersion()),
        word(said.arch()),
        word(said.hostName()),
        Math.clamp(said.cores(), 0, JobLimits.MAX_CORES),
        Math.clamp(said.gpus(), 0, JobLimits.MAX_GPUS),
        Math.max(0, said.memoryBytes()),
        Math.max(0, said.diskBytes()),
        said.benchmarkMillis(),
        plain(said.runtimes()),
        said.labels().stream().limit(MAX_FACTS).map(Protocol::word).collect(Collectors.toSet()),
        plain(said.facts()),
        said.largestDownloadBytes(),
        resources(said.resources()));
  }

  /** What no job could ask for is left out. */
  private static Map<String, Platform.Resource> resources(Map<String, Platform.Resource> said) {
    Map<String, Platform.Resource> plain = new TreeMap<>();
    said.entrySet().stream()
        .filter(one -> Requirements.isResourceName(one.getKey()))
        .limit(MAX_FACTS)
        .forEach(
            one ->
                plain.put(
                    one.getKey(),
                    new Platform.Resource(
                        Math.min(one.getValue().amount(), JobLimits.MAX_AMOUNT),
                        one.getValue().items().stream()
                            .filter(Requirements::isItemName)
                            .distinct()
                            .limit(MAX_ITEMS)
                            .toList())));
    return plain;
  }

  private static Map<String, String> plain(Map<String, String> said) {
    Map<String, String> plain = new TreeMap<>();
    said.entrySet().stream()
        .limit(MAX_FACTS)
        .forEach(
            fact -> plain.put(word(fact.getKey()), SafeText.line(fact.getValue(), MAX_FACT_CHARS)));
    return plain;
  }

  private static String word(String text) {
    return SafeText.line(text, MAX_NAME_CHARS);
  }

  static JobDescription description(LiveJob job, int stage) {
    try {
      TaskTemplate template =
          TaskTemplate.of(job.id(), job.user(), job.specForAgents(stage), stage);
      return JobDescription.newBuilder()
          .setJob(job.id().value())
          .setStage(stage)
          .setSpecJson(ByteString.copyFrom(MAPPER.writeValueAsBytes(template)))
          .build();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a template that is not JSON", e);
    }
  }

  static Assignment.Builder assignment(
      Lease lease, int attempt, LiveJob job, int stage, List<InputFile> files) {
    Assignment.Builder assignment =
        Assignment.newBuilder()
            .setLease(WireLeases.of(lease))
            .setAttempt(attempt)
            .setStage(stage)
            .addAllParams(job.stages().params(lease.task().index()));
    files.forEach(file -> assignment.addInputs(input(file)));
    return assignment;
  }

  /** Inputs of a task that do not all go into one message; the assignment itself follows them. */
  static Assignment furtherInputs(Lease lease, List<InputFile> files) {
    Assignment.Builder part = Assignment.newBuilder().setLease(WireLeases.of(lease)).setMore(true);
    files.forEach(file -> part.addInputs(input(file)));
    return part.build();
  }

  private static dev.imker.wire.proto.InputFile input(InputFile file) {
    return dev.imker.wire.proto.InputFile.newBuilder()
        .setPath(file.path())
        .setSha256(file.blob().sha256())
        .setSize(file.size())
        .setExecutable(file.executable())
        .build();
  }

  static List<InputFile> checkpoint(Checkpoint message) {
    List<InputFile> files = new ArrayList<>(message.getFilesCount());
    for (dev.imker.wire.proto.ResultFile file : message.getFilesList()) {
      files.add(
          new InputFile(
              file.getPath(), new BlobId(file.getSha256()), file.getSize(), file.getExecutable()));
    }
    return files;
  }

  static AttemptReport report(Finished finished) {
    List<ResultFile> results = new ArrayList<>(finished.getResultsCount());
    for (dev.imker.wire.proto.ResultFile file : finished.getResultsList()) {
      results.add(
          new ResultFile(
              file.getPath(), new BlobId(file.getSha256()), file.getSize(), file.getExecutable()));
    }
    return new AttemptReport(
        outcome(finished),
        finished.getExitCode(),
        finished.getStartedMillis(),
        finished.getEndedMillis(),
        finished.getCpuMillis(),
        finished.getPeakMemoryBytes(),
        output(finished.getStdout(), finished.getStdoutSha256(), finished.getStdoutSize()),
        output(finished.getStderr(), finished.getStderrSha256(), finished.getStderrSize()),
        results,
        finished.getError(),
        finished.getPausedMillis(),
        finished.getOutOfMemory(),
        attestation(finished));
  }

  private static byte[] attestation(Finished finished) {
    if (finished.getAttestation().size() > Attestation.MAX_BYTES) {
      throw new IllegalArgumentException("its attestation is too long");
    }
    return finished.getAttestation().toByteArray();
  }

  private static CapturedOutput output(ByteString inline, String sha256, long size) {
    if (!sha256.isEmpty()) {
      return new CapturedOutput(size, new byte[0], new BlobId(sha256));
    }
    return inline.isEmpty()
        ? CapturedOutput.NONE
        : new CapturedOutput(Math.max(size, inline.size()), inline.toByteArray(), null);
  }

  private static AttemptOutcome outcome(Finished finished) {
    return switch (finished.getOutcome()) {
      case SUCCEEDED -> AttemptOutcome.SUCCEEDED;
      case STOPPED -> AttemptOutcome.STOPPED;
      case GIVEN_BACK -> AttemptOutcome.GIVEN_BACK;
      case FAILED, OUTCOME_UNSPECIFIED, UNRECOGNIZED -> AttemptOutcome.FAILED;
    };
  }
}
