package dev.imker.server.internal.rest.jobs;

import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.SecretReference;
import dev.imker.model.job.Stage;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.JobBatches;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.http.ApiException;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.JobSecrets;
import dev.imker.server.internal.auth.Quotas;
import dev.imker.server.internal.data.PoolDataSets;
import dev.imker.server.internal.rest.data.RoomWatch;
import dev.imker.server.internal.rest.data.UserFiles;
import dev.imker.server.internal.rest.nodes.NodeDirectory;
import dev.imker.server.internal.settings.DiskReserve;
import dev.imker.server.internal.settings.MemoryDefault;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.Reads;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes jobs that were read elsewhere, with the checks that hold for every job. */
public record JobIntake(
    JobBatches batches,
    Reads reads,
    BlobStore blobs,
    UserFiles files,
    Quotas quotas,
    PoolDataSets dataSets,
    PoolStore store,
    DiskReserve disk,
    NodeDirectory nodes) {
  private static final int PIECE_BYTES = 64 << 10;

  public static JobIntake of(
      SchedulerLoop loop,
      PoolStore store,
      BlobStore blobs,
      Accounts accounts,
      PoolDataSets dataSets,
      DiskReserve disk,
      Clock clock) {
    return new JobIntake(
        new JobBatches(loop),
        store.reads(),
        blobs,
        new UserFiles(blobs, store.accounts(), loop, clock),
        new Quotas(accounts, store.accounts()),
        dataSets,
        store,
        disk,
        new NodeDirectory(store, loop));
  }

  /**
   * A job that is in the pool now.
   *
   * @param fresh whether it was not there before
   * @param spec with defaults, its name and the numbers of other jobs filled in
   * @param warnings what its submitter should know
   */
  public record Accepted(JobId job, boolean fresh, JobSpec spec, List<String> warnings) {}

  /**
   * Submits jobs in one step, all or none. Later ones may name earlier ones.
   *
   * @param key the same one gives the same jobs; may be empty
   * @param session of the caller's program that wants to hear of the outcomes; may be empty
   */
  public List<Accepted> accept(Identity caller, List<JobSpec> specs, String key, String session)
      throws InterruptedException {
    List<JobSpec> checked = new ArrayList<>();
    MemoryDefault memory = MemoryDefault.of(disk.settings());
    for (int i = 0; i < specs.size(); i++) {
      JobSpec spec = specs.get(i);
      checked.add(inPart(i, specs, () -> memory.fillIn(JobJson.require(spec))));
    }
    List<Optional<JobRecord>> earlier = earlier(specs.size(), key);
    boolean repeated = earlier.stream().allMatch(Optional::isPresent);
    List<List<String>> warnings = new ArrayList<>();
    PoolOffer offer = offer(checked);
    if (!repeated) {
      RoomWatch.require(disk.lack(0));
      for (int i = 0; i < specs.size(); i++) {
        JobSpec spec = checked.get(i);
        inPart(i, specs, () -> requireBlobs(caller, requireSecrets(caller, spec)));
        inPart(i, specs, () -> offer.requireKnownResources(spec));
      }
      quotas.requireStorage(caller.user(), 0);
    }
    checked.forEach(spec -> warnings.add(offer.warnings(spec)));
    if (repeated || specs.size() == 1) {
      return submit(caller, checked, key, session, earlier, warnings, null);
    }
    JobBatches.Numbers numbers = Await.answer(batches.reserve(specs.size()));
    try {
      return submit(caller, checked, key, session, earlier, warnings, numbers);
    } catch (ImkerException e) {
      Await.answer(batches.giveBack(numbers));
      throw e;
    }
  }

  /**
   * What no machine could ever do of a job.
   *
   * @throws ApiException if it would be refused for that
   */
  public List<String> outlook(JobSpec spec) throws InterruptedException {
    JobSpec filled = MemoryDefault.of(disk.settings()).fillIn(spec);
    PoolOffer offer = offer(List.of(filled));
    return offer.warnings(offer.requireKnownResources(filled));
  }

  /** What there is to run jobs on; nobody asks if they need nothing special. */
  private PoolOffer offer(List<JobSpec> specs) throws InterruptedException {
    boolean plain =
        specs.stream()
            .flatMap(spec -> spec.stages().stream())
            .allMatch(stage -> stage.needs().equals(Requirements.ANY));
    return plain ? PoolOffer.NOTHING_ASKED : new PoolOffer(nodes.machines(), nodes.shared());
  }

  /**
   * @param numbers null if no job can name another one of these
   */
  private List<Accepted> submit(
      Identity caller,
      List<JobSpec> specs,
      String key,
      String session,
      List<Optional<JobRecord>> earlier,
      List<List<String>> warnings,
      JobBatches.@Nullable Numbers numbers)
      throws InterruptedException {
    List<JobSpec> resolved = new ArrayList<>();
    List<JobBatches.Entry> entries = new ArrayList<>();
    List<Selections.Known> coming = new ArrayList<>();
    for (int i = 0; i < specs.size(); i++) {
      JobSpec read = specs.get(i);
      Selections known = new Selections(reads, caller, List.copyOf(coming));
      JobSpec spec = inPart(i, specs, () -> new ForeignTasks(known).resolve(read));
      resolved.add(spec);
      if (earlier.get(i).isPresent()) {
        coming.add(Selections.Known.of(earlier.get(i).get()));
        continue;
      }
      JobId id = numbers == null ? null : numbers.ids().get(i);
      entries.add(new JobBatches.Entry(id, spec, key(key, i), session));
      if (id != null) {
        coming.add(new Selections.Known(id, spec.name(), Math.toIntExact(spec.taskCount())));
      }
    }
    String user = caller.user();
    Iterator<JobCommands.Submitted> made =
        entries.isEmpty()
            ? Collections.emptyIterator()
            : Await.answer(batches.submit(user, numbers, entries, quotas.of(user))).iterator();
    List<Accepted> accepted = new ArrayList<>();
    for (int i = 0; i < specs.size(); i++) {
      Optional<JobRecord> before = earlier.get(i);
      JobCommands.Submitted job =
          before.isPresent() ? new JobCommands.Submitted(before.get().id(), false) : made.next();
      accepted.add(new Accepted(job.job(), job.fresh(), resolved.get(i), warnings.get(i)));
    }
    return accepted;
  }

  private List<Optional<JobRecord>> earlier(int count, String key) {
    List<Optional<JobRecord>> earlier = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      earlier.add(key.isEmpty() ? Optional.empty() : reads.byRequestKey(key(key, i)));
    }
    return earlier;
  }

  private static String key(String key, int number) {
    return key.isEmpty() || number == 0 ? key : key + ":" + number;
  }

  /** Tells with a refusal which job it is. */
  private static JobSpec inPart(int number, List<JobSpec> all, Supplier<JobSpec> work) {
    try {
      return work.get();
    } catch (ApiException e) {
      throw all.size() == 1 ? e : e.within("jobs[" + number + "]", intro(number, all));
    }
  }

  private static String intro(int number, List<JobSpec> all) {
    String name = all.get(number).name();
    return "Job %d of %d%s: "
        .formatted(number + 1, all.size(), name.isEmpty() ? "" : " (" + name + ")");
  }

  /** Stores a file for a user. */
  public BlobId store(Identity caller, InputStream content)
      throws IOException, InterruptedException {
    RoomWatch watch = new RoomWatch(disk::lack, 0);
    try (var upload = blobs.upload()) {
      byte[] piece = new byte[PIECE_BYTES];
      for (int count = content.read(piece); count >= 0; count = content.read(piece)) {
        upload.write(piece, 0, count);
        watch.came(upload.size());
      }
      quotas.requireStorage(caller.user(), upload.size());
      long size = upload.size();
      BlobId blob = upload.finish();
      files.brought(caller, blob, size);
      return blob;
    }
  }

  private JobSpec requireSecrets(Identity caller, JobSpec spec) {
    for (Stage stage : spec.stages()) {
      for (String name : SecretReference.in(stage)) {
        if (!JobSecrets.has(store, caller.user(), name)) {
          throw ApiException.of(
              409,
              "no_secret",
              "You have no secret '%s'; set it with 'imker secret set %s', then submit again."
                  .formatted(name, name),
              "env");
        }
      }
    }
    return spec;
  }

  private JobSpec requireBlobs(Identity caller, JobSpec spec) {
    requireBlobs(caller, spec.stages().stream().flatMap(stage -> stage.inputs().stream()).toList());
    return spec;
  }

  /**
   * @throws ApiException when the caller has not brought the content of all of these
   */
  void requireBlobs(Identity caller, List<InputFile> inputs) {
    List<BlobId> absent =
        files.missing(caller, inputs.stream().map(InputFile::blob).distinct().toList());
    Set<BlobId> common = absent.isEmpty() ? Set.of() : dataSets.blobs();
    List<String> missing =
        absent.stream().filter(blob -> !common.contains(blob)).map(BlobId::sha256).toList();
    if (!missing.isEmpty()) {
      throw ApiException.of(
          409,
          "missing_blobs",
          "The server does not have all files of the job. Upload these and submit again: "
              + String.join(", ", missing)
              + ".",
          "inputs");
    }
    for (InputFile input : inputs) {
      if (files.size(input.blob()) != input.size()) {
        throw ApiException.invalid(
            "inputs", "The size of input " + input.path() + " does not match its blob.");
      }
    }
  }
}
