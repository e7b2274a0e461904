package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.lease.Uplink;
import dev.imker.agent.internal.system.HeldFile;
import dev.imker.agent.internal.work.TaskFolder;
import dev.imker.model.job.JobKind;
import dev.imker.wire.proto.Progress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells the server how far commands say they have come: by a line {@code imker:progress 0.42 text}
 * on standard output, or by {@code 0.42 text} in the file that {@code $IMKER_PROGRESS} names. The
 * last one counts; only the end of either is read, and no more than once a second.
 */
record SaidProgress(Uplink uplink) {
  /** The name of the file, beside the temporary files of a task. */
  static final String FILE = "imker-progress";

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int END_BYTES = 4096;
  private static final String AMOUNT = "(\\d+(?:\\.\\d+)?|\\.\\d+)(%?)(?:[ \\t]+(.*))?";
  private static final Pattern LINE = Pattern.compile("imker:progress[ \\t]+" + AMOUNT);
  private static final Pattern BARE = Pattern.compile("(?:imker:progress[ \\t]+)?" + AMOUNT);

  record Said(double fraction, String text) {}

  /** Called by the runner's thread now and then. */
  void tellIfNew(TaskRun run, long nowNanos) {
    TaskFolder folder = run.folder;
    if (run.template.kind() == JobKind.JAVA
        || folder == null
        || nowNanos - run.progressNanos < PAUSE_NANOS) {
      return;
    }
    run.progressNanos = nowNanos;
    Optional<Said> said = inFile(folder.temporary());
    (said.isPresent() ? said : inOutput(run, folder.stdout())).ifPresent(one -> tell(run, one));
  }

  private void tell(TaskRun run, Said said) {
    String text = run.mask.cover(said.text);
    String whole = said.fraction + " " + text;
    if (!whole.equals(run.progress)
        && uplink.trySend(
            Progress.newBuilder()
                .setLease(run.held.wire())
                .setFraction(said.fraction)
                .setText(text)
                .build())) {
      run.progress = whole;
    }
  }

  private static Optional<Said> inOutput(TaskRun run, Path stdout) {
    try {
      long size = Files.size(stdout);
      if (size == run.progressBytes) {
        return Optional.empty();
      }
      run.progressBytes = size;
      return last(end(stdout), LINE, false);
    } catch (IOException e) {
      return Optional.empty(); // not there yet
    }
  }

  /** The task may have put anything in its place, so it is opened as results are. */
  private static Optional<Said> inFile(Path folder) {
    if (!Files.isRegularFile(folder.resolve(FILE), LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try (HeldFile file = HeldFile.below(folder, Path.of(FILE))) {
      return last(end(file.path()), BARE, true);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static String end(Path file) throws IOException {
    try (FileChannel in = FileChannel.open(file)) {
      ByteBuffer end = ByteBuffer.allocate((int) Math.min(END_BYTES, in.size()));
      int read = in.read(end, Math.max(0, in.size() - END_BYTES));
      return new String(end.array(), 0, Math.max(0, read), StandardCharsets.UTF_8);
    }
  }

  /**
   * What the last line says that says something.
   *
   * @param whole whether a last line without an end counts
   */
  static Optional<Said> last(String text, Pattern pattern, boolean whole) {
    int end = whole ? text.length() : text.lastIndexOf('\n');
    while (end > 0) {
      int start = text.lastIndexOf('\n', end - 1) + 1;
      Optional<Said> said = parse(pattern.matcher(text.substring(start, end).strip()));
      if (said.isPresent()) {
        return said;
      }
      end = start - 1;
    }
    return Optional.empty();
  }

  static Optional<Said> inLine(String text) {
    return last(text, LINE, false);
  }

  private static Optional<Said> parse(Matcher line) {
    if (!line.matches()) {
      return Optional.empty();
    }
    double number = Double.parseDouble(line.group(1));
    double fraction = line.group(2).isEmpty() ? number : number / 100;
    String words = line.group(3) == null ? "" : line.group(3).strip();
    return fraction <= 1 ? Optional.of(new Said(fraction, words)) : Optional.empty();
  }
}
