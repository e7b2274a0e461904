package dev.imker.jobfile.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The files to which a job file refers: those of a folder, of an upload, or unknown. */
public interface JobFiles {
  /**
   * A file that was found. Its name in the work folder is {@code root}, or what the job calls it,
   * and below that {@code rest}.
   *
   * @param source how to find it again in order to send it
   * @param root the part of the name given by the pattern; may be empty
   * @param rest the remaining path for files in folders and matches of a pattern; otherwise empty
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
   * The files of a path, a folder or a pattern, sorted by name; an empty list if there is no such
   * file; empty if this cannot be determined here.
   *
   * @throws IOException that says why it cannot be read
   */
  Optional<List<Found>> find(String pattern) throws IOException;

  /**
   * The content of a file; empty if it cannot be determined here.
   *
   * @throws IOException that says why it cannot be read
   */
  Optional<byte[]> read(String path) throws IOException;

  /** Named sets of files, if there are any. */
  default DataSets dataSets() {
    return DataSets.NONE;
  }

  /** Files relative to a folder, at any location. */
  static JobFiles in(Path folder) {
    return new FolderFiles(folder, false);
  }

  /** Only files inside a folder. */
  static JobFiles inside(Path folder) {
    return new FolderFiles(folder, true);
  }

  /** It is unknown which files exist. */
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
