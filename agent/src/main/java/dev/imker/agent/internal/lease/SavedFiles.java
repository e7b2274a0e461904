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
import org.jspecify.annotations.Nullable;

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
    Optional<String> wrong = SafePath.problem(file.name());
    if (wrong.isPresent()) {
      throw new ImkerException("its name " + wrong.get());
    }
    FoundResult found = new FoundResult(file.name(), file.folder(), file.place(), 0, false);
    Reporting.Stored stored = reporting.store(found, run.held.lease());
    synchronized (run.files) {
      if (run.files.size() >= MAX_FILES) {
        throw new ImkerException("the task has saved %,d files already".formatted(MAX_FILES));
      }
      ResultFile saved =
          ResultFile.newBuilder()
              .setPath(free(run, file.name(), stored.blob()))
              .setSha256(stored.blob().sha256())
              .setSize(stored.size())
              .build();
      run.files.put(saved.getPath(), saved);
      return saved;
    }
  }

  /** The name, unless another file has it. */
  private static String free(TaskRun run, String name, BlobId blob) {
    String free = name;
    for (int n = 2; isTaken(run.files.get(free), blob); n++) {
      free = n + "/" + name;
    }
    return free;
  }

  private static boolean isTaken(@Nullable ResultFile other, BlobId blob) {
    return other != null && !other.getSha256().equals(blob.sha256());
  }

  private static byte[] answer(ResultFile saved) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(answer);
    out.writeUTF(saved.getPath());
    out.writeLong(saved.getSize());
    return answer.toByteArray();
  }
}
