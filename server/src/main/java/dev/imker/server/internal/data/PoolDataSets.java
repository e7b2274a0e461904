package dev.imker.server.internal.data;

import dev.imker.jobfile.files.DataSets;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.job.InputFile;
import dev.imker.server.http.Json;
import dev.imker.store.PoolStore;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The data sets of a pool; everybody who may look may read them. */
public final class PoolDataSets implements DataSets {
  private static final String PREFIX = "dataset.";

  public record Kept(String path, String blob, long size) {}

  /** A set, and who brought it. */
  public record DataSet(String user, List<Kept> files) {
    public DataSet {
      files = List.copyOf(files);
    }

    public long bytes() {
      return files.stream().mapToLong(Kept::size).sum();
    }
  }

  private final PoolStore store;
  private final BlobStore blobs;

  public PoolDataSets(PoolStore store, BlobStore blobs) {
    this.store = store;
    this.blobs = blobs;
  }

  public Map<String, DataSet> all() {
    Map<String, DataSet> all = new TreeMap<>();
    store
        .settings(PREFIX)
        .forEach(
            (key, json) -> {
              if (!json.isEmpty()) {
                all.put(key.substring(PREFIX.length()), read(json));
              }
            });
    return all;
  }

  public Optional<DataSet> find(String name) {
    return store.setting(PREFIX + name).filter(json -> !json.isEmpty()).map(PoolDataSets::read);
  }

  /** Keeps a set, in place of one of the same name. */
  public void put(String name, DataSet set) {
    try {
      store.putSetting(PREFIX + name, Json.MAPPER.writeValueAsString(set));
    } catch (IOException e) {
      throw new ImkerException("Cannot store the data set: " + e.getMessage(), e);
    }
  }

  public void remove(String name) {
    store.putSetting(PREFIX + name, "");
  }

  private static DataSet read(String json) {
    try {
      return Json.MAPPER.readValue(json, DataSet.class);
    } catch (IOException e) {
      throw new ImkerException("A data set cannot be read: " + e.getMessage(), e);
    }
  }

  public Set<BlobId> blobs() {
    Set<BlobId> all = new HashSet<>();
    all().values().forEach(set -> set.files.forEach(file -> all.add(new BlobId(file.blob))));
    return all;
  }

  @Override
  public List<InputFile> files(String name) throws IOException {
    DataSet set =
        find(name)
            .orElseThrow(
                () ->
                    new IOException(
                        "There is no data set '"
                            + name
                            + "'. "
                            + (all().isEmpty()
                                ? "Upload one with 'imker chart data put NAME DIR'."
                                : "There are: " + String.join(", ", all().keySet()) + ".")));
    return set.files.stream()
        .map(file -> new InputFile(file.path, new BlobId(file.blob), file.size, false))
        .toList();
  }

  @Override
  public byte[] read(String name, InputFile file) throws IOException {
    try (InputStream in = blobs.open(file.blob())) {
      return in.readAllBytes();
    }
  }
}
