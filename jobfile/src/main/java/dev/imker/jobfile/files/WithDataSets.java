package dev.imker.jobfile.files;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Files from one place, and data sets from another. */
public record WithDataSets(JobFiles files, DataSets dataSets) implements JobFiles {
  @Override
  public Optional<List<Found>> find(String pattern) throws IOException {
    return files.find(pattern);
  }

  @Override
  public Optional<byte[]> read(String path) throws IOException {
    return files.read(path);
  }
}
