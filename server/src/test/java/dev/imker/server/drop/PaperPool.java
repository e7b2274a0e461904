package dev.imker.server.drop;

import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.account.DropItem;
import dev.imker.server.internal.drop.place.ResultTarget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** A pool and its database that survive the server: what was written stays, nothing else. */
final class PaperPool implements DropWork, DropLedger {
  final Map<String, DropItem> items = new LinkedHashMap<>();
  final Map<String, JobId> jobByKey = new LinkedHashMap<>();
  final Map<JobId, String> text = new HashMap<>();
  final Set<JobId> settled = new HashSet<>();
  final Set<JobId> cancelled = new HashSet<>();
  Pause beforeResults = () -> {};
  private final Map<BlobId, byte[]> blobs = new HashMap<>();

  /** Something that takes its time. */
  @FunctionalInterface
  interface Pause {
    void take() throws InterruptedException;
  }

  // ---------------------------------------------------------------- database

  @Override
  public Optional<DropItem> item(String id) {
    return Optional.ofNullable(items.get(id));
  }

  @Override
  public List<DropItem> open(String folder) {
    return items.values().stream()
        .filter(item -> item.folder().equals(folder) && item.isOpen())
        .toList();
  }

  @Override
  public void put(DropItem item) {
    items.put(item.id(), item);
  }

  // ---------------------------------------------------------------- pool

  @Override
  public BlobId keep(byte[] content) {
    BlobId blob = new BlobId(dev.imker.server.Rest.sha256(content));
    blobs.put(blob, content);
    return blob;
  }

  @Override
  public byte[] content(BlobId blob) {
    return blobs.getOrDefault(blob, new byte[0]);
  }

  @Override
  public Submission submit(DropItem item, JobFiles files) {
    String content = new String(content(item.content()), StandardCharsets.UTF_8);
    if (content.contains("mistake")) {
      return new Submission(List.of(), "line 1: a mistake");
    }
    JobId job = jobByKey.computeIfAbsent(item.id(), _ -> new JobId(jobByKey.size() + 1));
    text.put(job, content);
    return new Submission(List.of(job), "");
  }

  void finishAll() {
    settled.addAll(jobByKey.values());
  }

  @Override
  public Story story(List<JobId> jobs) {
    boolean over = settled.containsAll(jobs) || cancelled.containsAll(jobs);
    boolean failed = jobs.stream().anyMatch(job -> text.getOrDefault(job, "").contains("fails"));
    return new Story(over, over && failed ? "it failed" : "");
  }

  @Override
  public String progress(List<JobId> jobs) {
    return "working";
  }

  @Override
  public void cancel(List<JobId> jobs) {
    cancelled.addAll(jobs);
  }

  @Override
  public void results(List<JobId> jobs, ResultTarget target) throws IOException {
    try {
      beforeResults.take();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    for (JobId job : jobs) {
      if (settled.contains(job)) {
        String work = text.getOrDefault(job, "");
        byte[] bytes = ("result of " + work).getBytes(StandardCharsets.UTF_8);
        target.put("out/result.txt", new ByteArrayInputStream(bytes), false);
        if (work.contains("twice")) {
          target.put("out/result.txt", new ByteArrayInputStream(bytes), false);
        }
        if (work.contains("large")) {
          byte[] noise = new byte[100_000];
          new Random(1).nextBytes(noise);
          target.put("noise", new ByteArrayInputStream(noise), false);
        }
      }
    }
  }

  /** The texts of all jobs, one for each. */
  List<String> submitted() {
    List<String> all = new ArrayList<>();
    jobByKey.values().forEach(job -> all.add(text.get(job)));
    return all;
  }
}
