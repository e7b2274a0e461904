package dev.imker.server.library;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.ImkerException;
import dev.imker.store.PoolStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All task libraries, the oldest first. Few and small, so they are one setting of the store. */
public final class TaskLibraries {
  private static final String KEY = "libraries";
  private static final int MOST = 2_000;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final PoolStore store;

  public TaskLibraries(PoolStore store) {
    this.store = store;
  }

  public synchronized List<LibraryVersion> all() {
    return store
        .setting(KEY)
        .filter(text -> !text.isEmpty())
        .map(TaskLibraries::read)
        .orElse(List.of());
  }

  private static List<LibraryVersion> read(String text) {
    try {
      return JSON.readValue(text, new TypeReference<List<LibraryVersion>>() {});
    } catch (JsonProcessingException e) {
      throw new ImkerException("The list of task libraries cannot be read.", e);
    }
  }

  private void write(List<LibraryVersion> all) {
    try {
      store.putSetting(KEY, JSON.writeValueAsString(all));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("libraries that are not JSON", e);
    }
  }

  private List<LibraryVersion> of(String user, String name) {
    return all().stream()
        .filter(one -> one.user().equals(user) && one.name().equals(name))
        .toList();
  }

  /** The version that is given to the next upload without one. */
  public synchronized String nextVersion(String user, String name) {
    long last =
        of(user, name).stream()
            .map(LibraryVersion::version)
            .filter(version -> version.matches("[0-9]{1,9}"))
            .mapToLong(Long::parseLong)
            .max()
            .orElse(0);
    return Long.toString(last + 1);
  }

  /** The newest version, if it has this content. */
  public synchronized Optional<LibraryVersion> newest(String user, String name, String sha256) {
    List<LibraryVersion> known = of(user, name);
    return known.isEmpty() || !known.getLast().sha256().equals(sha256)
        ? Optional.empty()
        : Optional.of(known.getLast());
  }

  /**
   * Adds a version.
   *
   * @return false if there is that version already, with another content; versions never change
   */
  public synchronized boolean add(LibraryVersion added) {
    List<LibraryVersion> all = new ArrayList<>(all());
    for (LibraryVersion one : all) {
      if (one.user().equals(added.user())
          && one.name().equals(added.name())
          && one.version().equals(added.version())) {
        return one.sha256().equals(added.sha256());
      }
    }
    if (all.size() >= MOST) {
      throw new ImkerException("There are %,d task libraries; remove some.".formatted(MOST));
    }
    all.add(added);
    write(all);
    return true;
  }

  /** Removes a version; false if there is none. */
  public synchronized boolean remove(String user, String name, String version) {
    List<LibraryVersion> all = new ArrayList<>(all());
    boolean there =
        all.removeIf(
            one ->
                one.user().equals(user)
                    && one.name().equals(name)
                    && one.version().equals(version));
    if (there) {
      write(all);
    }
    return there;
  }
}
