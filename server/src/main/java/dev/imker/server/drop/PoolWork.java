package dev.imker.server.drop;

import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.LocalInput;
import dev.imker.jobfile.draft.Reading;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.files.WithDataSets;
import dev.imker.jobfile.findings.Finding;
import dev.imker.jobfile.tsv.TsvReader;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.account.DropItem;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.http.ApiException;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.internal.data.PoolDataSets;
import dev.imker.server.internal.drop.place.DropNames;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.ResultTarget;
import dev.imker.server.internal.rest.jobs.JobIntake;
import dev.imker.server.loop.PoolUnavailableException;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.StoreException;
import dev.imker.store.blobs.BlobStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operations of this server's pool for one drop folder. */
final class PoolWork implements DropWork {
  private static final Logger LOG = LoggerFactory.getLogger(PoolWork.class);
  private static final int MAX_BYTES = DropPlace.MAX_JOB_FILE_BYTES;

  private final JobIntake intake;
  private final BlobStore blobs;
  private final Reads reads;
  private final JobCommands commands;
  private final Accounts accounts;
  private final PoolDataSets dataSets;
  private final JobStories stories;
  private final String user;

  PoolWork(DropFolders.Parts parts, String user) {
    this.intake = parts.intake();
    this.blobs = parts.blobs();
    this.reads = parts.store().reads();
    this.commands = new JobCommands(parts.loop());
    this.accounts = parts.accounts();
    this.dataSets = parts.dataSets();
    this.stories = new JobStories(parts.loop(), reads, blobs);
    this.user = user;
  }

  private Identity identity() {
    if (user.equals(Identity.ADMIN_NAME)) {
      return Identity.ADMIN;
    }
    return accounts
        .usable(user)
        .map(account -> new Identity(account.name(), Role.USER))
        .orElseThrow(
            () ->
                new ImkerException(
                    "The drop folder belongs to the user "
                        + user
                        + ", who does not exist or is disabled. An admin can change that."));
  }

  @Override
  public BlobId keep(byte[] content) throws IOException, InterruptedException {
    return intake.store(Identity.ADMIN, new ByteArrayInputStream(content));
  }

  @Override
  public byte[] content(BlobId blob) throws IOException {
    try (InputStream in = blobs.open(blob)) {
      return in.readAllBytes();
    }
  }

  // ---------------------------------------------------------------- submitting

  @Override
  public Submission submit(DropItem item, JobFiles files) throws IOException, InterruptedException {
    byte[] content = content(item.content());
    String name = DropNames.name(item.path());
    if (content.length > MAX_BYTES) {
      return refused(name + " is too large for a job file: more than " + MAX_BYTES + " bytes.");
    }
    Reading reading;
    try {
      reading = read(name, content, new WithDataSets(files, dataSets));
    } catch (ImkerException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) { // or it would stop all others for ever
      LOG.error("{} cannot be read", item.path(), e);
      return refused(
          name + " cannot be read because of a bug in Imker; please report it with the file.");
    }
    if (!reading.isValid()) {
      return refused(
          reading.findings().stream()
              .filter(Finding::isError)
              .map(Finding::toString)
              .collect(Collectors.joining("\n")));
    }
    try {
      return submit(item, reading.jobs());
    } catch (PoolUnavailableException | StoreException e) {
      throw e; // not the fault of the file: tried again
    } catch (ImkerException e) {
      if (e instanceof ApiException api && api.status() == ApiException.NO_ROOM) {
        throw e; // neither: tried again when there is room
      }
      return refused(name + ": " + e.getMessage());
    }
  }

  private static Reading read(String name, byte[] content, JobFiles known) {
    return name.toLowerCase(Locale.ROOT).endsWith(".tsv")
        ? TsvReader.read(name, content, known)
        : JobFileReader.read(name, content, known);
  }

  private static Submission refused(String cause) {
    return new Submission(List.of(), cause);
  }

  private Submission submit(DropItem item, List<JobDraft> drafts)
      throws IOException, InterruptedException {
    Identity caller = identity();
    List<JobSpec> specs = new ArrayList<>();
    for (JobDraft draft : drafts) {
      specs.add(spec(item, draft, caller));
    }
    List<JobId> jobs =
        intake.accept(caller, specs, "drop:" + item.id(), "").stream()
            .map(JobIntake.Accepted::job)
            .toList();
    return new Submission(jobs, "");
  }

  private JobSpec spec(DropItem item, JobDraft draft, Identity caller)
      throws IOException, InterruptedException {
    Map<String, BlobId> stored = new HashMap<>();
    for (LocalInput input : draft.files()) {
      if (!stored.containsKey(input.source())) {
        try (InputStream in = Files.newInputStream(Path.of(input.source()))) {
          stored.put(input.source(), intake.store(caller, in));
        }
      }
    }
    JobSpec spec =
        draft.complete(
            input ->
                new InputFile(
                    input.path(),
                    stored.getOrDefault(input.source(), item.content()),
                    input.size(),
                    input.executable(),
                    input.os(),
                    input.param()));
    String project = DropNames.project(item.path());
    return project.isEmpty() ? spec : spec.withProject(project);
  }

  // ---------------------------------------------------------------- following

  @Override
  public Story story(List<JobId> jobs) {
    return stories.of(jobs);
  }

  @Override
  public String progress(List<JobId> jobs) {
    return stories.progress(jobs);
  }

  @Override
  public void cancel(List<JobId> jobs) throws InterruptedException {
    for (JobId job : jobs) {
      Optional<JobRecord> known = reads.job(job);
      if (known.isPresent() && !known.get().isSettled()) {
        Await.answer(commands.act(JobCommands.Action.CANCEL, job, 0, known.get().taskCount()));
      }
    }
  }

  @Override
  public void results(List<JobId> jobs, ResultTarget target) throws IOException {
    new JobResults(reads, blobs).write(jobs, target);
  }
}
