package dev.imker.server.internal.drop.place;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How the end of a job file is shown: in {@code done} or {@code failed}, there with the cause
 * beside it; under its name, or with a number if that is taken. Can be repeated after a crash in
 * the middle of it.
 */
public final class ShownEnd {
  public static final String DONE = "done";
  public static final String FAILED = "failed";
  private static final String CAUSE = ".txt";
  private static final int MAX_NAMES = 10_000;

  private ShownEnd() {}

  /** What Imker itself put where people see it; paths begin with the part of the place. */
  public interface Shelf {
    /** Whether something may be put there: nothing is, or what Imker put and nobody changed. */
    boolean isFree(String path) throws IOException;

    /** Whether exactly this lies there. */
    boolean holds(String path, byte[] content) throws IOException;

    /** Writes a file, unless somebody else's is there. */
    void write(String path, byte[] content) throws IOException;

    /** Removes a file, unless it is somebody else's. */
    void remove(String path) throws IOException;
  }

  /** Moves a job file to where its end is shown. */
  public interface Move {
    void to(String path) throws IOException;
  }

  /**
   * Shows the end.
   *
   * @param path of the job file
   * @param cause why it failed; empty if it did not
   * @param moved whether it is neither claimed nor running, so that it may be shown already
   */
  public static void show(
      String path, byte[] content, String cause, boolean moved, Shelf shelf, Move move)
      throws IOException {
    boolean failed = !cause.isEmpty();
    String target = target(path, failed ? FAILED : DONE, moved ? content : null, shelf);
    if (failed) {
      shelf.write(target + CAUSE, (cause + "\n").getBytes(StandardCharsets.UTF_8));
    }
    move.to(target);
    shelf.remove((failed ? DONE : FAILED) + "/" + path);
    if (!failed) {
      shelf.remove(FAILED + "/" + path + CAUSE);
    }
  }

  private static String target(String path, String part, byte @Nullable [] shown, Shelf shelf)
      throws IOException {
    for (int i = 1; i <= MAX_NAMES; i++) {
      String target = part + "/" + (i == 1 ? path : DropNames.numbered(path, i));
      if ((shown != null && shelf.holds(target, shown))
          || (shelf.isFree(target) && (part.equals(DONE) || shelf.isFree(target + CAUSE)))) {
        return target;
      }
    }
    throw new IOException("There are too many files named " + path + " in " + part);
  }
}
