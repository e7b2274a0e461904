package dev.imker.agent.internal.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A control group of version 2 as the kernel shows it: a folder with small files. */
public record GroupFolder(Path path) {
  /**
   * The group that a process is in.
   *
   * @param mounts lines of {@code /proc/PID/mountinfo}
   * @param memberships lines of {@code /proc/PID/cgroup}
   * @return empty where no such groups are mounted, or not the part that the process is in
   */
  public static Optional<GroupFolder> of(List<String> mounts, List<String> memberships) {
    Optional<String> group =
        memberships.stream()
            .filter(line -> line.startsWith("0::/"))
            .map(line -> line.substring(3))
            .findFirst();
    for (String mount : mounts) {
      String[] fields = mount.split(" ", -1);
      if (mount.contains(" - cgroup2 ") && fields.length > 4 && group.isPresent()) {
        return below(unescaped(fields[3]), Path.of(unescaped(fields[4])), group.get());
      }
    }
    return Optional.empty();
  }

  /** The mount shows the groups from {@code root} on. */
  private static Optional<GroupFolder> below(String root, Path mount, String group) {
    if (group.startsWith("/..")) {
      return Optional.empty();
    }
    Path relative = Path.of("/").relativize(Path.of(group));
    Path shown = Path.of("/").relativize(Path.of(root));
    if (shown.toString().isEmpty()) {
      return Optional.of(new GroupFolder(mount.resolve(relative).normalize()));
    }
    return relative.startsWith(shown)
        ? Optional.of(new GroupFolder(mount.resolve(shown.relativize(relative)).normalize()))
        : Optional.empty();
  }

  /** Blanks in paths are written as octal numbers. */
  private static String unescaped(String field) {
    return field.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
  }

  public String name() {
    return String.valueOf(path.getFileName());
  }

  public GroupFolder child(String name) {
    return new GroupFolder(path.resolve(name));
  }

  public boolean has(String file) {
    return Files.exists(path.resolve(file));
  }

  public void make() throws IOException {
    Files.createDirectory(path);
  }

  /** True when it is gone; the kernel refuses while a process is in it. */
  public boolean remove() {
    try {
      return Files.deleteIfExists(path) || !Files.exists(path);
    } catch (IOException e) {
      return false;
    }
  }

  /** False if the group has no such file, or the kernel does not take the value. */
  public boolean write(String file, String value) {
    try {
      Files.writeString(
          path.resolve(file), value, StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** What a file says; nothing if there is none. */
  String read(String file) {
    try {
      return Files.readString(path.resolve(file), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return "";
    }
  }

  public Set<String> words(String file) {
    String text = read(file).strip();
    return text.isEmpty() ? Set.of() : Set.of(text.split("\\s+", -1));
  }

  public List<Integer> processes() {
    List<Integer> pids = new ArrayList<>();
    read("cgroup.procs").lines().forEach(line -> pids.add(Integer.valueOf(line.strip())));
    return pids;
  }

  /** A figure of a file whose lines are a name and a number; 0 if it is not there. */
  public long figure(String file, String name) {
    return read(file)
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElse(0);
  }

  /** The number that is all of a file; 0 if there is none. */
  public long number(String file) {
    String text = read(file).strip();
    return text.isEmpty() || !Character.isDigit(text.charAt(0)) ? 0 : Long.parseLong(text);
  }
}
