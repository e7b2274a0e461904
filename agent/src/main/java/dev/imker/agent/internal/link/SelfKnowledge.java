package dev.imker.agent.internal.link;

import dev.imker.agent.internal.platform.Bandwidth;
import dev.imker.agent.internal.platform.BandwidthProbe;
import dev.imker.agent.internal.platform.PlatformProbe;
import dev.imker.model.ImkerException;
import dev.imker.model.Platform;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the agent knows about its machine. Properties that are quickly determined are known from the
 * start; versions of runtimes, the benchmark and the bandwidth follow later, so that they do not
 * slow down the start, the first tasks, or short-lived agents.
 */
final class SelfKnowledge {
  private static final Logger LOG = LoggerFactory.getLogger(SelfKnowledge.class);
  private static final long DELAY_MILLIS = TimeUnit.SECONDS.toMillis(5);
  private static final String BANDWIDTH = "bandwidth";

  private final AgentParts parts;
  private final Runnable onMore;
  private final Map<String, String> facts = new TreeMap<>();
  private List<String> gpus = PlatformProbe.gpus();
  private long largestDownloadBytes;
  private @Nullable Thread learning;

  /**
   * @param onMore called whenever more is known
   */
  SelfKnowledge(AgentParts parts, Runnable onMore) {
    this.parts = parts;
    this.onMore = onMore;
    facts.put("sandbox", parts.confinement.inWords());
    facts.put("processes", parts.processes.groupsInWords());
  }

  void begin() {
    learning = Thread.ofPlatform().daemon().name("imker-learning").start(this::learn);
  }

  /** Stops pending measurements within the given time. */
  void end(long patienceMillis) throws InterruptedException {
    if (learning != null) {
      learning.interrupt();
      learning.join(patienceMillis);
    }
  }

  synchronized Platform platform() {
    return PlatformProbe.probe(
        parts.settings.dataFolder(),
        parts.offer.get(),
        new PlatformProbe.Knowledge(
            parts.benchmark.millis(),
            gpus,
            parts.runtimes.present(),
            parts.labels(),
            facts,
            largestDownloadBytes));
  }

  private void learn() {
    try {
      Thread.sleep(DELAY_MILLIS);
      boolean versions = parts.runtimes.learnVersions();
      boolean names = learnGpus();
      if (versions || names) {
        onMore.run();
      }
      Thread.sleep(DELAY_MILLIS);
      if (parts.benchmark.measure()) {
        onMore.run();
      }
      learnBandwidth();
    } catch (InterruptedException e) {
      LOG.debug("Closed before the machine was fully examined");
    }
  }

  private boolean learnGpus() throws InterruptedException {
    List<String> named = PlatformProbe.askForGpus(parts.programs);
    synchronized (this) {
      if (named.isEmpty() || named.equals(gpus)) {
        return false;
      }
      gpus = named;
      parts.gpusFound = named.size();
      return true;
    }
  }

  private void learnBandwidth() throws InterruptedException {
    try {
      Bandwidth measured =
          BandwidthProbe.measure(parts.blobs, parts.folder.path().resolve("bandwidth.probe"));
      synchronized (this) {
        facts.put(BANDWIDTH, measured.inWords());
        largestDownloadBytes = measured.largestDownloadBytes();
      }
      onMore.run();
    } catch (IOException | ImkerException e) {
      LOG.debug("The bandwidth could not be measured", e);
    }
  }
}
