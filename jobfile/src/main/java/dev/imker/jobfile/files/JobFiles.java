package dev.imker.jobfile.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The files that a job file refers to: those of a folder, of an upload, or nobody knows. */
public interface JobFiles {
  /**
   * A file that was found. Its name in the work folder is {@code root}, or what the job calls it,
   * and below that {@code rest}.
   *
   * @param source how to find it again, for whoever sends it
   * @param root the part of the name that the pattern gave; may be empty
   * @param rest what follows for files in folders and those that a pattern matched; else empty
   */
  record Found(String source, String root, String rest, long size, boolean executable) {
    /** The name in the work folder. */
    public String name(String as) {
      String start = as.isEmpty() ? root : as;
      if (start.isEmpty() || rest.isEmpty()) {
        return start + rest;
      }
      return start + "/" + rest;
    }
  }

  /**
   * The files that a path, a folder or a pattern means, sorted by name; none if there is no such
   * file; empty if it cannot be told here.
   *
   * @throws IOException saying why it cannot be read
   */
  Optional<List<Found>> find(String pattern) throws IOException;

  /**
   * The content of a file; empty if it cannot be told here.
   *
   * @throws IOException saying why it cannot be read
   */
  Optional<byte[]> read(String path) throws IOException;

  /** Named sets of files, where there are any. */
  default DataSets dataSets() {
    return DataSets.NONE;
  }

  /** Files relative to a folder, wherever they are. */
  static JobFiles in(Path folder) {
    return new FolderFiles(folder, false);
  }

  /** Files inside of a folder, and never others. */
  static JobFiles inside(Path folder) {
    return new FolderFiles(folder, true);
  }

  /** Nobody knows which files there are. */
  static JobFiles unknown() {
    return new JobFiles() {
      @Override
      public Optional<List<Found>> find(String pattern) {
        return Optional.empty();
      }

      @Override
      public Optional<byte[]> read(String path) {
        return Optional.empty();
      }
    };
  }
}
