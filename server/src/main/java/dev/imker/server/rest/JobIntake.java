package dev.imker.server.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.model.BlobId;
import dev.imker.model.InputFile;
import dev.imker.model.JobId;
import dev.imker.model.JobSpec;
import dev.imker.server.auth.Accounts;
import dev.imker.server.auth.Identity;
import dev.imker.server.auth.Quotas;
import dev.imker.server.data.PoolDataSets;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Json;
import dev.imker.server.loop.JobCommands;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.BlobStore;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.Reads;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Takes jobs that were read elsewhere, with the checks that hold for every job. */
public final class JobIntake {
  private final JobCommands commands;
  private final Reads reads;
  private final BlobStore blobs;
  private final UserFiles files;
  private final Quotas quotas;
  private final PoolDataSets dataSets;

  JobIntake(
      JobCommands commands,
      Reads reads,
      BlobStore blobs,
      UserFiles files,
      Quotas quotas,
      PoolDataSets dataSets) {
    this.commands = commands;
    this.reads = reads;
    this.blobs = blobs;
    this.files = files;
    this.quotas = quotas;
    this.dataSets = dataSets;
  }

  public static JobIntake of(
      SchedulerLoop loop,
      PoolStore store,
      BlobStore blobs,
      Accounts accounts,
      PoolDataSets dataSets,
      Clock clock) {
    return new JobIntake(
        new JobCommands(loop),
        store.reads(),
        blobs,
        new UserFiles(blobs, store.accounts(), loop, clock),
        new Quotas(accounts, store.accounts()),
        dataSets);
  }

  /**
   * Submits a job. An error tells what is wrong and what to do.
   *
   * @param key the same one gives the same job; may be empty
   */
  public JobId accept(Identity caller, JobSpec spec, String key) throws InterruptedException {
    Optional<JobRecord> earlier = key.isEmpty() ? Optional.empty() : reads.byRequestKey(key);
    if (earlier.isPresent()) {
      return earlier.get().id();
    }
    JobSpec checked = check(caller, spec);
    String user = caller.user();
    quotas.requireStorage(user, 0);
    requireBlobs(caller, checked);
    return Await.answer(commands.submit(user, checked, key, quotas.of(user))).job();
  }

  private JobSpec check(Identity caller, JobSpec spec) {
    ObjectNode body = Json.MAPPER.valueToTree(spec);
    if (spec.name().isEmpty()) {
      body.remove("name");
    }
    return new ForeignTasks(new Selections(reads, caller)).resolve(JobSpecReader.read(body));
  }

  /** Stores a file for a user. */
  public BlobId store(Identity caller, InputStream content)
      throws IOException, InterruptedException {
    try (var upload = blobs.upload()) {
      content.transferTo(upload);
      quotas.requireStorage(caller.user(), upload.size());
      long size = upload.size();
      BlobId blob = upload.finish();
      files.brought(caller, blob, size);
      return blob;
    }
  }

  void requireBlobs(Identity caller, JobSpec spec) {
    List<InputFile> inputs =
        spec.stages().stream().flatMap(stage -> stage.inputs().stream()).toList();
    List<BlobId> absent =
        files.missing(caller, inputs.stream().map(InputFile::blob).distinct().toList());
    Set<BlobId> common = absent.isEmpty() ? Set.of() : dataSets.blobs();
    List<String> missing =
        absent.stream().filter(blob -> !common.contains(blob)).map(BlobId::sha256).toList();
    if (!missing.isEmpty()) {
      throw ApiException.of(
          409,
          "missing_blobs",
          "Upload these blobs with PUT /api/v1/blobs/SHA256, then submit again: "
              + String.join(", ", missing)
              + ".",
          "inputs");
    }
    for (InputFile input : inputs) {
      if (files.size(input.blob()) != input.size()) {
        throw ApiException.invalid(
            "inputs", "The size of input " + input.path() + " is not that of its blob.");
      }
    }
  }
}
