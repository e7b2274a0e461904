package dev.imker.server.internal.library;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.ImkerException;
import dev.imker.store.PoolStore;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All task libraries, the oldest first. */
public record TaskLibraries(PoolStore store) {
  private static final String PREFIX = "library/";
  private static final int MAX = 2_000;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  public synchronized List<LibraryVersion> all() {
    return store.settings(PREFIX).values().stream()
        .map(TaskLibraries::read)
        .sorted(Comparator.comparingLong(LibraryVersion::uploadedMillis))
        .toList();
  }

  private static LibraryVersion read(String text) {
    try {
      return JSON.readValue(text, LibraryVersion.class);
    } catch (JsonProcessingException e) {
      throw new ImkerException("A task library cannot be read: " + text, e);
    }
  }

  private static String key(String user, String name, String version) {
    return PREFIX + user + "/" + name + "/" + version;
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
    String key = key(added.user(), added.name(), added.version());
    Optional<LibraryVersion> known = store.setting(key).map(TaskLibraries::read);
    if (known.isPresent()) {
      return known.get().sha256().equals(added.sha256());
    }
    if (all().size() >= MAX) {
      throw new ImkerException("There are %,d task libraries; remove some.".formatted(MAX));
    }
    try {
      store.putSetting(key, JSON.writeValueAsString(added));
      return true;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a library that is not JSON", e);
    }
  }

  /** Removes a version; false if there is none. */
  public synchronized boolean remove(String user, String name, String version) {
    String key = key(user, name, version);
    boolean there = store.setting(key).isPresent();
    if (there) {
      store.putSetting(key, "");
    }
    return there;
  }
}
