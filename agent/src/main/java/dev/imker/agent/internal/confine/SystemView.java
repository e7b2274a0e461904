package dev.imker.agent.internal.confine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The part of the system that a sandbox shows: programs, libraries, settings. Settings that are not
 * world-readable are hidden if the task could read them, which matters if it runs as the agent's
 * user. Every mount costs time at the start of each task.
 */
final class SystemView {
  private static final List<String> FOLDERS =
      List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix");
  private static final List<String> RESOLVERS =
      List.of("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf");
  private static final Pattern COMPUTE_DEVICE = Pattern.compile("nvidia.*|kfd|dri");
  private static final int DEPTH = 3;
  private static final Comparator<Path> BY_DEPTH =
      Comparator.comparingInt(folder -> folder.toAbsolutePath().getNameCount());

  private final List<String> arguments = new ArrayList<>();
  private final List<String> further = new ArrayList<>();
  private final List<String> devices = new ArrayList<>();
  private final List<Path> shown = new ArrayList<>();
  private final List<Path> mounted = new ArrayList<>();
  private final List<Path> hidden = new ArrayList<>();

  private SystemView() {}

  /**
   * What is visible in addition to the system's own folders, and what is hidden in any case.
   *
   * @param show folders chosen by the owner
   * @param hide folders that do not exist inside, even below a visible one
   * @param software the agent's own software that tasks need, even below a hidden folder
   */
  public record Wanted(List<Path> show, List<Path> hide, List<Path> software) {
    public static Wanted showing(Path... folders) {
      return new Wanted(List.of(folders), List.of(), List.of());
    }
  }

  /**
   * @param ownUsers whether tasks have users of their own, who can only read world-readable files
   */
  static SystemView of(Wanted wanted, boolean ownUsers) throws IOException {
    SystemView view = new SystemView();
    for (String folder : FOLDERS) {
      view.add(Path.of(folder));
    }
    view.add(Path.of("/etc"));
    if (!ownUsers) {
      view.cover(Path.of("/etc"), DEPTH);
    }
    for (String resolver : RESOLVERS) {
      view.addPlain(view.arguments, Path.of(resolver));
    }
    // A folder before its subfolders, which it already includes.
    for (Path folder : wanted.show().stream().sorted(BY_DEPTH).toList()) {
      view.addPlain(view.further, folder);
    }
    for (Path folder : wanted.hide()) {
      view.hide(folder);
    }
    for (Path place : wanted.software()) {
      view.addPlain(view.further, place);
    }
    for (Path folder : view.hidden) {
      view.further.addAll(List.of("--remount-ro", folder.toString()));
    }
    view.addDevices();
    return view;
  }

  List<String> arguments() {
    return arguments;
  }

  /** Additional folders of the owner; last, because they may be below others. */
  List<String> further() {
    return further;
  }

  List<String> devices() {
    return devices;
  }

  boolean shows(Path place) {
    try {
      Path real = place.toRealPath();
      return shown.stream().anyMatch(real::startsWith);
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether nothing that is shown would be hidden behind a folder of this name. */
  boolean leavesFree(String folder) {
    return mounted.stream().noneMatch(place -> place.startsWith(folder));
  }

  /** The actual location of the list of resolvers, with links resolved. */
  static String resolverFile() {
    Path usual = Path.of("/etc/resolv.conf");
    try {
      return usual.toRealPath().toString();
    } catch (IOException e) {
      return usual.toString();
    }
  }

  private void add(Path folder) throws IOException {
    if (Files.isSymbolicLink(folder)) {
      String target = Files.readSymbolicLink(folder).toString();
      arguments.addAll(List.of("--symlink", target, folder.toString()));
    } else {
      addPlain(arguments, folder);
    }
  }

  private void addPlain(List<String> to, Path given) throws IOException {
    Path place = given.toAbsolutePath();
    boolean seen = shows(place) && hidden.stream().noneMatch(place::startsWith);
    if (!seen && Files.exists(place)) {
      for (int depth = 1; depth < place.getNameCount(); depth++) {
        // By default, bubblewrap would close these to all but the agent's user.
        Path above = place.getRoot().resolve(place.subpath(0, depth));
        to.addAll(List.of("--dir", above.toString()));
      }
      to.addAll(List.of("--ro-bind", place.toString(), place.toString()));
      mounted.add(place);
      shown.add(place.toRealPath());
    }
  }

  private void hide(Path folder) throws IOException {
    if (Files.isDirectory(folder) && shows(folder)) {
      further.addAll(List.of("--tmpfs", folder.toRealPath().toString()));
      hidden.add(folder.toRealPath());
    }
  }

  private static void addEmpty(List<String> to, Path folder) {
    to.addAll(List.of("--tmpfs", folder.toString(), "--remount-ro", folder.toString()));
  }

  private void cover(Path folder, int depth) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        boolean isFolder = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
        boolean isFile = Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS);
        if (isFolder && !grants(entry, PosixFilePermission.OTHERS_EXECUTE)) {
          if (Files.isExecutable(entry)) {
            addEmpty(arguments, entry);
          }
        } else if (isFolder && depth > 1) {
          cover(entry, depth - 1);
        } else if (isFile
            && !grants(entry, PosixFilePermission.OTHERS_READ)
            && Files.isReadable(entry)) {
          arguments.addAll(List.of("--ro-bind", "/dev/null", entry.toString()));
        }
      }
    } catch (IOException e) {
      // If we cannot read a folder, tasks cannot either.
      return;
    }
  }

  private static boolean grants(Path entry, PosixFilePermission wanted) throws IOException {
    return Files.getPosixFilePermissions(entry, LinkOption.NOFOLLOW_LINKS).contains(wanted);
  }

  private void addDevices() {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/dev"))) {
      for (Path entry : entries) {
        if (COMPUTE_DEVICE.matcher(entry.getFileName().toString()).matches()) {
          devices.addAll(List.of("--dev-bind-try", entry.toString(), entry.toString()));
        }
      }
    } catch (IOException e) {
      devices.clear(); // no /dev, no devices
    }
  }
}
