package dev.imker.agent.internal.lease;

import dev.imker.agent.internal.cache.BlobException;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Outcome;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Why a run could not be set up, and whose fault it is. If the disk accepts nothing, it is the
 * machine's: the task is given back and the machine pauses. Otherwise it is the job's, which fails,
 * so that it ends and does not block others. Only files that are temporarily unavailable cause the
 * task to be given back without counting a failure.
 */
public record SetupFailures(WorkArea area, Trouble trouble) {
  private static final int MAX_NAME_CHARS = 80;
  private static final String COULD_NOT = "The task could not be set up: ";

  /** The report of a run that never began; tells the machine's trouble if it has any. */
  public Finished report(TaskRun run, Throwable failure) {
    String why = inWords(failure);
    String disk = failure instanceof IOException || isTemporary(failure) ? area.fault() : "";
    if (!disk.isEmpty()) {
      trouble.ofMachine("the disk of the node cannot be written: " + disk);
      return end(run, Outcome.GIVEN_BACK, why);
    }
    if (isTemporary(failure)) {
      trouble.ofJob(run.held.job(), why);
      return end(run, Outcome.GIVEN_BACK, why);
    }
    return end(run, Outcome.FAILED, why);
  }

  private static boolean isTemporary(Throwable failure) {
    return failure instanceof InterruptedException
        || (failure instanceof BlobException blob && blob.isTemporary());
  }

  private static Finished end(TaskRun run, Outcome outcome, String why) {
    return Reporting.withoutRun(run.held, outcome, 0, COULD_NOT + why);
  }

  /** For people, without the folders of the agent. */
  public static String inWords(Throwable failure) {
    return switch (failure) {
      case FileAlreadyExistsException e ->
          "two of its files would have the same path, '" + name(e.getFile()) + "'";
      case FileSystemException e -> "'" + name(e.getFile()) + "': " + reason(e);
      case InvalidPathException e ->
          "the name '%s' cannot be expressed on this node, whose file names are in %s"
              .formatted(shortened(e.getInput()), System.getProperty("sun.jnu.encoding", "?"));
      case Exception e when e.getMessage() != null -> e.getMessage();
      default -> failure.toString();
    };
  }

  private static String reason(FileSystemException e) {
    String reason = e.getReason();
    return reason == null ? e.getClass().getSimpleName().replace("Exception", "") : reason;
  }

  private static String name(@Nullable String file) {
    if (file == null) {
      return "?";
    }
    Path last = Path.of(file).getFileName();
    return shortened(last == null ? file : last.toString());
  }

  private static String shortened(String name) {
    return name.length() <= MAX_NAME_CHARS ? name : name.substring(0, MAX_NAME_CHARS) + "…";
  }
}
