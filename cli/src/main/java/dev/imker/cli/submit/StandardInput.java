package dev.imker.cli.submit;

import dev.imker.cli.data.InputFiles;
import dev.imker.cli.options.JobFileSet;
import dev.imker.client.context.FileTrouble;
import dev.imker.model.ImkerException;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.sweep.Sweep;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What tasks read from their standard input: a file for all of them, or a part of it for each. The
 * parts travel as input files, so that neither their size nor their bytes matter.
 */
final class StandardInput implements AutoCloseable {
  private static final String NAME = ".stdin";
  private static final String PARAMETER = "part";

  /** Before the program: its first argument is the file. */
  private static final String REDIRECTION = "f=$1; shift; exec \"$@\" < \"$f\"";

  private final List<Path> parts;
  private final boolean split;
  private final @Nullable Path temporary;

  private StandardInput(List<Path> parts, boolean split, @Nullable Path temporary) {
    this.parts = parts;
    this.split = split;
    this.temporary = temporary;
  }

  static StandardInput of(@Nullable String source, boolean split, long blockBytes) {
    if (source == null && !split) {
      return new StandardInput(List.of(), false, null);
    }
    boolean own = source == null || source.equals(JobFileSet.STANDARD_INPUT);
    if (!own && !split) {
      return new StandardInput(List.of(Path.of(source)), false, null);
    }
    try (InputStream in = own ? System.in : Files.newInputStream(Path.of(source))) {
      Path folder = Files.createTempDirectory("imker-stdin-");
      return new StandardInput(
          write(in, folder, split ? Math.max(1, blockBytes) : Long.MAX_VALUE), split, folder);
    } catch (IOException e) {
      throw new ImkerException("--stdin " + source + ": " + FileTrouble.inWords(e) + ".", e);
    }
  }

  /** Ends a part at the first end of a line after so many bytes. */
  private static List<Path> write(InputStream in, Path folder, long blockBytes) throws IOException {
    List<Path> parts = new ArrayList<>();
    BufferedInputStream bytes = new BufferedInputStream(in, 1 << 16);
    int next = bytes.read();
    while (next >= 0 || parts.isEmpty()) {
      Path part = folder.resolve("%06d".formatted(parts.size() + 1));
      parts.add(part);
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
        long size = 0;
        boolean full = false;
        while (next >= 0 && !full) {
          out.write(next);
          size++;
          full = size >= blockBytes && next == '\n';
          next = bytes.read();
        }
      }
    }
    return parts;
  }

  /** The command that reads it, with the files that it reads. */
  Sweep feed(Sweep sweep, InputFiles files) {
    if (parts.isEmpty()) {
      return sweep;
    }
    if (!split) {
      files.addFor("", NAME, parts.getFirst());
      return new Sweep(redirected(sweep.command(), NAME), sweep.axes());
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      String name = NAME + "-%06d".formatted(i + 1);
      names.add(name);
      files.addFor(PARAMETER, name, parts.get(i));
    }
    List<SweepAxis> axes = new ArrayList<>(sweep.axes());
    axes.add(SweepAxis.of(PARAMETER, names));
    return new Sweep(redirected(sweep.command(), "${" + PARAMETER + "}"), axes);
  }

  private static List<String> redirected(List<String> command, String file) {
    if (command.size() == 1) {
      return List.of("{ " + command.getFirst() + "\n} < " + file);
    }
    List<String> words = new ArrayList<>(List.of("sh", "-c", REDIRECTION, "sh", file));
    words.addAll(command);
    return words;
  }

  @Override
  public void close() {
    if (temporary == null) {
      return;
    }
    try (Stream<Path> all = Files.walk(temporary)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new ImkerException(temporary + " cannot be removed: " + FileTrouble.inWords(e), e);
    }
  }
}
