package dev.imker.agent.internal.link;

import dev.imker.agent.internal.cache.Sha256;
import dev.imker.agent.internal.policy.UpdateTerms;
import dev.imker.agent.internal.update.Updates;
import dev.imker.model.ImkerException;
import dev.imker.model.code.ReleaseCommit;
import dev.imker.wire.proto.Welcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches the server's version of the software if it differs, and makes the agent leave. */
final class Renewal {
  private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);

  private final AgentParts parts;
  private final BiConsumer<Path, String> onFetched;
  private final AtomicBoolean busy = new AtomicBoolean();

  /**
   * @param onFetched gets the jar and the name of its build
   */
  Renewal(AgentParts parts, BiConsumer<Path, String> onFetched) {
    this.parts = parts;
    this.onFetched = onFetched;
  }

  void consider(Welcome welcome) {
    if (parts.settings.ownJar().isPresent()
        && isWanted(welcome, parts.policy.updates(), ReleaseCommit.OWN)
        && busy.compareAndSet(false, true)) {
      Thread.ofVirtual().name("imker-renewal").start(() -> fetchIfOther(welcome));
    }
  }

  /**
   * Whether the server may have a different version. The jar of an agent archive differs from the
   * server's, but may belong to the same release.
   */
  static boolean isWanted(Welcome welcome, UpdateTerms terms, String ownCommit) {
    boolean sameRelease = !ownCommit.isEmpty() && ownCommit.equals(welcome.getAgentCommit());
    return terms.wanted()
        && !welcome.getAgentBuild().isEmpty()
        && (!sameRelease || !terms.build().isEmpty());
  }

  private void fetchIfOther(Welcome welcome) {
    Updates updates = new Updates(parts.settings.dataFolder());
    String build = welcome.getAgentBuild();
    try {
      String own = Sha256.of(parts.settings.ownJar().orElseThrow()).sha256();
      UpdateTerms terms = parts.policy.updates();
      boolean pinned = !terms.build().isEmpty();
      if (build.equals(own) || updates.isBad(build) || (pinned && !terms.build().equals(build))) {
        return;
      }
      Updates.Offer offer =
          new Updates.Offer(
              build,
              welcome.getAgentBuildSignature().toByteArray(),
              welcome.getReleaseKey().toByteArray(),
              welcome.getOwnerSignature().toByteArray());
      Path jar = updates.fetch(offer, terms.releaseKey(), parts.blobs);
      LOG.info("The server runs another version, {}; switching to it", build);
      onFetched.accept(jar, build);
    } catch (IOException | ImkerException | IllegalArgumentException e) {
      LOG.warn("No update: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      busy.set(false);
    }
  }
}
