package dev.imker.server.internal.drop.place;

import dev.imker.jobfile.files.JobFiles;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A drop folder, where people put files and see their outcome: {@code inbox}, {@code running},
 * {@code done}, {@code failed} and {@code results}. Several servers may use the same place; whoever
 * claims a file has it. All paths are relative to the inbox: a name, or a project and a name.
 *
 * <p>Every method can be repeated after a crash in the middle of it.
 */
public interface DropPlace extends AutoCloseable {
  /** A larger file is no job file. */
  int MAX_JOB_FILE_BYTES = 32 << 20;

  /**
   * A file in the inbox.
   *
   * @param stamp another one whenever the content is another one
   */
  record Waiting(String path, String stamp) {}

  /** A file that this server took out of the inbox and that nobody sees at the moment. */
  record Claim(String id, String path) {}

  /**
   * What lies in the inbox.
   *
   * @param waiting files that are meant to become jobs
   * @param unusable why others that look like job files cannot be taken, by path
   */
  record Inbox(List<Waiting> waiting, Map<String, String> unusable) {}

  /** What came of showing a file as running. */
  enum Showing {
    SHOWN,
    /** A file of this name, of other work, is shown there. */
    OCCUPIED,
    /** Somebody took it away. */
    GONE
  }

  /** Names the place; always the same for the same place. */
  String name();

  Inbox inbox() throws IOException;

  /** Tells beside a file why it cannot be worked on; without words, that is over. */
  default void showTrouble(String path, String words) throws IOException {}

  /** Takes a file out of the inbox; false if it is gone, or changed, or somebody else has it. */
  boolean claim(String id, Waiting file) throws IOException;

  List<Claim> claims() throws IOException;

  /** The content of a claimed file; empty if it is still being written. */
  Optional<byte[]> read(Claim claim) throws IOException;

  /** Puts a claimed file back into the inbox. */
  void giveBack(Claim claim) throws IOException;

  /** The files that a file of this path may refer to. */
  JobFiles files(String path);

  /** Shows a claimed file as running. */
  Showing showRunning(Claim claim) throws IOException;

  /** The database knows that the file is shown as running: the claim is no longer needed. */
  void release(Claim claim) throws IOException;

  boolean isRunning(String path) throws IOException;

  /**
   * Whether the file that was shown as running still is; if not, its owner has taken it away, which
   * cancels the work. Where a list of files is not made in one moment, this must not rely on one.
   */
  default boolean isStillRunning(Claim claim) throws IOException {
    return isRunning(claim.path());
  }

  /** Whether a claimed file is still this server's; another one may have taken it over. */
  boolean has(Claim claim) throws IOException;

  /**
   * Begins a turn: says that this server is there, and takes what servers had that have not said so
   * for long back into the inbox.
   *
   * @param shown what this server shows as running
   */
  void signOfLife(List<Claim> shown) throws IOException;

  /**
   * Says that this server is there still, which has said so before. Called by a thread of its own,
   * since a step of the work may take longer than others wait for a sign.
   */
  default void giveSign() throws IOException {}

  /** How often to say so; 0 if nobody wants to know. */
  default long signMillis() {
    return 0;
  }

  /** Tells how far the work of a running file is; without words, nothing more is told of it. */
  void showProgress(String path, String words) throws IOException;

  /** Begins with the results of a file; they are seen when all of them are there. */
  ResultTarget results(Claim claim) throws IOException;

  /**
   * Shows a file as done, or as failed with the cause beside it, and nowhere else.
   *
   * @param cause empty means done
   */
  void showEnd(Claim claim, byte[] content, String cause) throws IOException;

  /** Lets go of a file that is not to be shown any more. */
  void forget(Claim claim) throws IOException;

  /** Waits until something may have changed, for the given time at most. */
  default void awaitChange(long millis) throws InterruptedException {
    Thread.sleep(millis);
  }

  /** How long to wait while there is something going on. */
  default long soonMillis() {
    return 250;
  }

  /** How long to wait at most before looking again. */
  long scanMillis();

  @Override
  void close();
}
