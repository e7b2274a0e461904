package dev.imker.cli.agent;

import static java.nio.file.attribute.PosixFilePermission.OTHERS_EXECUTE;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_EXECUTE;
import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/** What keeps a user from a file. */
final class Barrier {
  private Barrier() {}

  /**
   * The first folder on the way to a path that a user may not pass, or the file itself if that user
   * may not read it. Groups are not looked at, nor is what is not there yet.
   */
  static Optional<Path> before(Path path, String user) {
    try {
      Path real = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
      for (int i = 1; i < real.getNameCount(); i++) {
        Path folder = real.getRoot().resolve(real.subpath(0, i));
        if (Files.exists(folder) && !lets(folder, user, OWNER_EXECUTE, OTHERS_EXECUTE)) {
          return Optional.of(folder);
        }
      }
      boolean file = Files.isRegularFile(real);
      return file && !lets(real, user, OWNER_READ, OTHERS_READ)
          ? Optional.of(real)
          : Optional.empty();
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty(); // then the system will tell
    }
  }

  private static boolean lets(
      Path path, String user, PosixFilePermission owner, PosixFilePermission others)
      throws IOException {
    Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(path);
    boolean own = Files.getOwner(path).getName().equals(user);
    return user.equals("root") || allowed.contains(own ? owner : others);
  }
}
