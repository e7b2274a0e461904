package dev.imker.agent.internal.lease;

import dev.imker.agent.internal.host.HostRequest;
import dev.imker.agent.internal.host.HostRequest.Question;
import dev.imker.agent.internal.work.FoundResult;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.text.SafePath;
import dev.imker.wire.proto.ResultFile;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;

/** Files that Java tasks leave while they run: each is stored at once, and named in the report. */
public record SavedFiles(Reporting reporting) {
  /** As many results as a server takes of a task. */
  private static final int MAX_FILES = 10_000;

  public void save(TaskRun run, Question.Save file, HostRequest request) {
    Thread.ofVirtual()
        .name("imker-file")
        .start(
            () -> {
              try {
                request.grant(answer(store(run, file)));
              } catch (IOException | RuntimeException e) {
                request.refuse(String.valueOf(e.getMessage()));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private ResultFile store(TaskRun run, Question.Save file)
      throws IOException, InterruptedException {
    checkName(file.name());
    FoundResult found = new FoundResult(file.name(), file.folder(), file.place(), 0, false);
    Reporting.Stored stored = reporting.store(found, run.held.lease());
    synchronized (run.files) {
      if (run.files.size() + run.template.outputs().size() >= MAX_FILES) {
        throw new ImkerException("the task has saved %,d files already".formatted(MAX_FILES));
      }
      String name = free(run, file.name(), stored.blob());
      checkName(name);
      ResultFile saved =
          ResultFile.newBuilder()
              .setPath(name)
              .setSha256(stored.blob().sha256())
              .setSize(stored.size())
              .build();
      run.left(saved);
      return saved;
    }
  }

  private static void checkName(String name) {
    Optional<String> wrong = SafePath.problem(name);
    if (wrong.isPresent()) {
      throw new ImkerException("its name " + wrong.get());
    }
  }

  /** The name, unless another file has it or the job itself. */
  private static String free(TaskRun run, String name, BlobId blob) {
    String free = name;
    for (int n = 2; isTaken(run, free, blob); n++) {
      free = n + "/" + name;
    }
    return free;
  }

  private static boolean isTaken(TaskRun run, String name, BlobId blob) {
    ResultFile other = run.files.get(name);
    return run.template.outputs().contains(name)
        || (other != null && !other.getSha256().equals(blob.sha256()));
  }

  private static byte[] answer(ResultFile saved) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(answer);
    out.writeUTF(saved.getPath());
    out.writeLong(saved.getSize());
    return answer.toByteArray();
  }
}
