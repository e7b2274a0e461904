package dev.imker.agent.internal.policy;

import dev.imker.agent.AgentSettings;
import dev.imker.agent.Offer;
import dev.imker.agent.internal.platform.PlatformProbe;
import dev.imker.model.Granted;
import dev.imker.model.job.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the agent offers now: what it was started with, within the owner's policy, whose amounts
 * count as soon as its file is changed. Safe for use by several threads.
 */
public final class CurrentOffer {
  private static final Logger LOG = LoggerFactory.getLogger(CurrentOffer.class);

  private final AgentSettings settings;
  private final Path file;
  private String seen;
  private String last;
  private volatile Offer offer;
  private volatile Shrunk shrunk = Shrunk.NOT;

  /** That no more than so many cores are offered for now, and why. */
  private record Shrunk(int cores, String why) {
    static final Shrunk NOT = new Shrunk(Integer.MAX_VALUE, "");
  }

  public CurrentOffer(AgentSettings settings, Policy policy) {
    this.settings = settings;
    this.file = settings.policy().orElse(settings.dataFolder().resolve(Policy.FILE));
    this.seen = stamp();
    this.last = seen;
    this.offer = settings.offer().within(policy.offer());
  }

  /** True if other amounts are offered from now on. */
  public synchronized boolean refresh() {
    String now = stamp();
    boolean written = now.equals(last); // and not just being written
    last = now;
    if (now.equals(seen) || !written) {
      return false;
    }
    seen = now;
    try {
      Offer next =
          settings
              .offer()
              .within(
                  Policy.find(settings.policy(), settings.dataFolder(), settings.ownerActive())
                      .offer());
      boolean changed = !next.equals(offer);
      offer = next;
      LOG.info("{} has changed: amounts take effect now, everything else at the next start", file);
      return changed;
    } catch (PolicyException e) {
      LOG.warn("The changed policy is ignored: {}", e.getMessage());
      return false;
    }
  }

  /** Offers no more than so many cores for a reason; without one, all again. */
  public void shrink(int cores, String why) {
    shrunk = why.isEmpty() ? Shrunk.NOT : new Shrunk(cores, why);
  }

  private String stamp() {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return found.lastModifiedTime()
          + " "
          + found.size()
          + " "
          + Objects.toString(found.fileKey());
    } catch (IOException e) {
      return "";
    }
  }

  /** Whether something was given to a task that is not this machine's, but the whole pool's. */
  public boolean lacks(Granted granted) {
    return granted.amounts().keySet().stream()
        .anyMatch(
            name -> Requirements.isResourceName(name) && !offer.resources().containsKey(name));
  }

  /** Whether an agent that has taken so many tasks takes no more. */
  public boolean isSpent(long taken) {
    return settings.maxTasks() > 0 && taken >= settings.maxTasks();
  }

  public Offer get() {
    return shrunk.why.isEmpty() ? offer : offer.withCores(cores());
  }

  public int cores() {
    return Math.min(offer.cores() > 0 ? offer.cores() : PlatformProbe.cores(), shrunk.cores);
  }

  public long memoryBytes() {
    return PlatformProbe.memoryBytes(offer);
  }

  public String inWords() {
    Offer now = offer;
    List<String> words = new ArrayList<>();
    String why = shrunk.why.isEmpty() ? "" : " (" + shrunk.why + ")";
    words.add((cores() == 1 ? "1 core" : cores() + " cores") + why);
    if (now.memoryBytes() > 0) {
      words.add((now.memoryBytes() >> 20) + " MB of memory");
    }
    if (now.gpus() != Offer.FOUND) {
      words.add(now.gpus() == 1 ? "1 GPU" : now.gpus() + " GPUs");
    }
    now.resources()
        .forEach(
            (name, resource) ->
                words.add(
                    Granted.inWords(Requirements.hundredths(resource.amount())) + " " + name));
    return String.join(", ", words);
  }

  /** How many tasks that need one core and nothing else may run at a time. */
  public int slots() {
    return settings.slots() == 0 ? cores() : Math.min(settings.slots(), cores());
  }
}
