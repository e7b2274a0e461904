package dev.imker.agent.internal.platform;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
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
  private static final long PATIENCE_SECONDS = 10;
  private static final int LONGEST_ANSWER = 8192;

  /** Name of a runtime and the program that shows its presence. */
  private static final Map<String, String> PROGRAMS = programs();

  private final Path file;
  private final List<Path> folders = new ArrayList<>();
  private final Properties known = new Properties();

  public Runtimes(Path file, String searchPath) {
    this.file = file;
    for (String folder : searchPath.split(System.getProperty("path.separator"), -1)) {
      if (!folder.isEmpty()) {
        folders.add(Path.of(folder));
      }
    }
    try (var in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      known.load(in);
    } catch (IOException | IllegalArgumentException e) {
      known.clear(); // asked for anew
    }
  }

  private static Map<String, String> programs() {
    Map<String, String> programs = new LinkedHashMap<>();
    programs.put("java", "java");
    programs.put("python", "python3");
    programs.put("perl", "perl");
    programs.put("r", "Rscript");
    programs.put("node", "node");
    programs.put("dotnet", "dotnet");
    programs.put("octave", "octave");
    programs.put("ruby", "ruby");
    programs.put("bash", "bash");
    return programs;
  }

  /** Those present, with their versions as far as known, empty otherwise. */
  public synchronized Map<String, String> present() {
    Map<String, String> present = new TreeMap<>();
    PROGRAMS.forEach(
        (name, program) -> {
          Path place = find(program);
          if (place != null) {
            present.put(name, known.getProperty(key(place), ""));
          }
        });
    return present;
  }

  /**
   * Asks those whose version is not known, and keeps the answers. Takes seconds; an interrupt ends
   * it.
   */
  public void learnVersions() throws InterruptedException {
    boolean learnt = false;
    for (String program : PROGRAMS.values()) {
      Path place = find(program);
      if (place != null && !isKnown(place)) {
        learn(place, ask(place));
        learnt = true;
      }
    }
    if (learnt) {
      save();
    }
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
      LOG.debug("The versions of runtimes could not be kept", e);
    }
  }

  private @Nullable Path find(String program) {
    for (Path folder : folders) {
      Path place = folder.resolve(program);
      if (Files.isRegularFile(place) && Files.isExecutable(place)) {
        return place;
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

  private static String ask(Path program) throws InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
    } catch (IOException e) {
      return "";
    }
    try (var answer = process.getInputStream()) {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return "";
      }
      String text = new String(answer.readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
      Matcher matcher = VERSION.matcher(text);
      return matcher.find() ? matcher.group() : "";
    } catch (IOException e) {
      return "";
    } finally {
      process.destroyForcibly();
    }
  }
}
