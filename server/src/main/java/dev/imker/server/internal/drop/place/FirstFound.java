package dev.imker.server.internal.drop.place;

import dev.imker.jobfile.files.JobFiles;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Files of one folder, or else of another. */
record FirstFound(JobFiles first, JobFiles second) implements JobFiles {
  @Override
  public Optional<List<Found>> find(String pattern) throws IOException {
    Optional<List<Found>> found = first.find(pattern);
    return found.isPresent() && !found.get().isEmpty() ? found : second.find(pattern);
  }

  @Override
  public Optional<byte[]> read(String path) throws IOException {
    try {
      return first.read(path);
    } catch (IOException e) {
      return second.read(path);
    }
  }
}
