package dev.imker.agent.internal.confine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a sandbox shows of the system: programs, libraries, settings. Settings that are not for
 * everybody's eyes are covered, which matters where the agent runs as root and could read them.
 */
final class SystemView {
  private static final List<String> FOLDERS =
      List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix");
  private static final List<String> RESOLVERS =
      List.of("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf");
  private static final Pattern COMPUTE_DEVICE = Pattern.compile("nvidia.*|kfd|dri");
  private static final int DEPTH = 3;

  private final List<String> arguments = new ArrayList<>();
  private final List<String> further = new ArrayList<>();
  private final List<String> devices = new ArrayList<>();
  private final List<Path> shown = new ArrayList<>();

  private SystemView() {}

  static SystemView of(List<Path> show) throws IOException {
    SystemView view = new SystemView();
    for (String folder : FOLDERS) {
      view.add(Path.of(folder));
    }
    view.add(Path.of("/etc"));
    view.cover(Path.of("/etc"), DEPTH);
    for (String resolver : RESOLVERS) {
      view.addPlain(view.arguments, Path.of(resolver));
    }
    for (Path folder : show) {
      view.addPlain(view.further, folder);
    }
    view.arguments.addAll(List.of("--dir", "/var/tmp"));
    view.addDevices();
    return view;
  }

  List<String> arguments() {
    return arguments;
  }

  /** What the owner shows besides; after everything else, because it may lie below it. */
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

  private void add(Path folder) throws IOException {
    if (Files.isSymbolicLink(folder)) {
      String target = Files.readSymbolicLink(folder).toString();
      arguments.addAll(List.of("--symlink", target, folder.toString()));
    } else {
      addPlain(arguments, folder);
    }
  }

  private void addPlain(List<String> to, Path place) throws IOException {
    if (Files.exists(place)) {
      to.addAll(List.of("--ro-bind", place.toString(), place.toString()));
      shown.add(place.toRealPath());
    }
  }

  private void cover(Path folder, int depth) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        boolean isFolder = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
        boolean isFile = Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS);
        if (isFolder && !grants(entry, PosixFilePermission.OTHERS_EXECUTE)) {
          arguments.addAll(List.of("--tmpfs", entry.toString()));
        } else if (isFolder && depth > 1) {
          cover(entry, depth - 1);
        } else if (isFile && !grants(entry, PosixFilePermission.OTHERS_READ)) {
          arguments.addAll(List.of("--ro-bind", "/dev/null", entry.toString()));
        }
      }
    } catch (IOException e) {
      // A folder that we cannot read, tasks cannot either.
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
