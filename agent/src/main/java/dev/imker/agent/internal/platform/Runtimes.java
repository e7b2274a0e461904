package dev.imker.agent.internal.platform;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Language runtimes that tasks can count on. Which ones are there is seen by a look at PATH; their
 * versions need a process each and are therefore asked for in the background and kept in a file,
 * valid while the program itself does not change.
 */
public final class Runtimes {
  private static final Logger LOG = LoggerFactory.getLogger(Runtimes.class);
  private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+");

  private final Path file;
  private final Programs programs;
  private final RuntimeCatalogue catalogue;
  private final Properties known = new Properties();

  /** A program that is there, and how it is asked for its version. */
  private record Found(Path place, List<String> command) {}

  public Runtimes(Path file, Programs programs, RuntimeCatalogue catalogue) {
    this.file = file;
    this.programs = programs;
    this.catalogue = catalogue;
    try (var in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      known.load(in);
    } catch (IOException | IllegalArgumentException e) {
      known.clear(); // asked for anew
    }
  }

  /** Those present, with their versions as far as known, empty otherwise. */
  public synchronized Map<String, String> present() {
    Map<String, String> present = new TreeMap<>();
    for (RuntimeCatalogue.Entry entry : catalogue.entries()) {
      Found found = find(entry);
      if (found != null) {
        present.put(entry.name(), known.getProperty(key(found.place), ""));
      }
    }
    return present;
  }

  /**
   * Asks those whose version is not known, and keeps the answers; tells whether there was any.
   * Takes seconds; an interrupt ends it.
   */
  public boolean learnVersions() throws InterruptedException {
    boolean learnt = false;
    for (RuntimeCatalogue.Entry entry : catalogue.entries()) {
      Found found = find(entry);
      if (found != null && !isKnown(found.place)) {
        learn(found.place, version(Programs.ask(found.command)));
        learnt = true;
      }
    }
    if (learnt) {
      save();
    }
    return learnt;
  }

  private static String version(String answer) {
    Matcher matcher = VERSION.matcher(answer);
    return matcher.find() ? matcher.group() : "";
  }

  private synchronized boolean isKnown(Path place) {
    return known.containsKey(key(place));
  }

  private synchronized void learn(Path place, String version) {
    known.setProperty(key(place), version);
  }

  private synchronized void save() {
    try (var out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      known.store(out, null);
    } catch (IOException e) {
      LOG.debug("The versions of runtimes could not be saved", e);
    }
  }

  private @Nullable Found find(RuntimeCatalogue.Entry entry) {
    for (List<String> alternative : entry.alternatives()) {
      Optional<Path> place = programs.find(alternative.getFirst());
      if (place.isPresent()) {
        List<String> command = new ArrayList<>(alternative);
        command.set(0, place.get().toString());
        return new Found(place.get(), command);
      }
    }
    return null;
  }

  private static String key(Path place) {
    try {
      return place + "@" + Files.getLastModifiedTime(place).toMillis();
    } catch (IOException e) {
      return place.toString();
    }
  }
}
