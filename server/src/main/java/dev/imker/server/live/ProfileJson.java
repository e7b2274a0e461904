package dev.imker.server.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.core.profile.NodeSnapshot;
import dev.imker.core.profile.ProjectSnapshot;
import dev.imker.core.strategy.StrategyMemory;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Profiles and memories as the store keeps them: JSON with a version. Version 1 of a profile lacks
 * since when the node is up. What cannot be read is dropped, since a pool without statistics works
 * and one that does not start does not.
 */
final class ProfileJson {
  private static final Logger LOG = LoggerFactory.getLogger(ProfileJson.class);
  private static final int VERSION = 2;
  private static final int MEMORY_VERSION = 1;
  private static final JsonMapper MAPPER =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
  private static final double[] NONE = {};

  private record Node(
      int version,
      double benchmarkMillis,
      double reputation,
      double @Nullable [] succeededMinutes,
      double @Nullable [] failedMinutes,
      double @Nullable [] uptimesMinutes,
      int successes,
      int failures,
      int faults,
      int confirmed,
      long upSinceMillis,
      long incarnation) {}

  private record Project(
      int version,
      double @Nullable [] runMinutes,
      long @Nullable [] memoryPeaks,
      @Nullable Map<String, long[]> memoryPeaksByProgram,
      @Nullable Double coresPerTask) {}

  private record Memory(int version, Map<String, double[]> values) {}

  private ProfileJson() {}

  static String text(NodeSnapshot node) {
    return write(
        new Node(
            VERSION,
            node.benchmarkMillis(),
            node.reputation(),
            node.succeededMinutes(),
            node.failedMinutes(),
            node.uptimesMinutes(),
            node.successes(),
            node.failures(),
            node.faults(),
            node.confirmed(),
            node.upSinceMillis(),
            node.incarnation()));
  }

  static String text(ProjectSnapshot project) {
    return write(
        new Project(
            VERSION,
            project.runMinutes(),
            project.memoryPeaks(),
            project.memoryPeaksByProgram(),
            project.coresPerTask()));
  }

  static Optional<NodeSnapshot> node(NodeId id, String json) {
    return read(id, json, Node.class)
        .map(
            node ->
                new NodeSnapshot(
                    id,
                    node.benchmarkMillis,
                    node.reputation,
                    orNone(node.succeededMinutes),
                    orNone(node.failedMinutes),
                    orNone(node.uptimesMinutes),
                    node.successes,
                    node.failures,
                    node.faults,
                    node.confirmed,
                    node.upSinceMillis,
                    node.incarnation));
  }

  static Optional<ProjectSnapshot> project(ProjectId id, String json) {
    return read(id, json, Project.class)
        .map(
            project ->
                new ProjectSnapshot(
                    id,
                    orNone(project.runMinutes),
                    project.memoryPeaks == null ? new long[0] : project.memoryPeaks,
                    project.memoryPeaksByProgram == null ? Map.of() : project.memoryPeaksByProgram,
                    project.coresPerTask == null ? 1 : project.coresPerTask));
  }

  static String text(StrategyMemory memory) {
    return write(new Memory(MEMORY_VERSION, memory.values()));
  }

  static Optional<StrategyMemory> memory(String subject, String json) {
    return read(subject, json, Memory.class)
        .filter(memory -> memory.version == MEMORY_VERSION)
        .map(memory -> new StrategyMemory(subject, memory.values));
  }

  private static double[] orNone(double @Nullable [] values) {
    return values == null ? NONE : values;
  }

  private static String write(Object form) {
    try {
      return MAPPER.writeValueAsString(form);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a profile that is not JSON", e);
    }
  }

  private static <T> Optional<T> read(Object id, String json, Class<T> form) {
    try {
      return Optional.of(MAPPER.readValue(json, form));
    } catch (JsonProcessingException e) {
      LOG.warn("The recorded profile of {} cannot be read; starting a new one", id);
      return Optional.empty();
    }
  }
}
