package dev.imker.server.internal.drop.place;

import dev.imker.jobfile.files.JobFiles;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Places from which jobs take no data: that of their jobs are data sets.
 *
 * @param where what the place is called
 */
public record NoFiles(String where) implements JobFiles {
  @Override
  public Optional<List<Found>> find(String pattern) {
    return Optional.of(List.of());
  }

  @Override
  public Optional<byte[]> read(String path) throws IOException {
    throw new IOException("files of jobs on " + where + " are data sets kept on the server");
  }
}
