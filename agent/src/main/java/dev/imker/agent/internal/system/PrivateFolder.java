package dev.imker.agent.internal.system;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Folders that only this process' user may enter, also where everybody may make some. */
public final class PrivateFolder {
  private static final String ONLY_OURS = "rwx------";

  private PrivateFolder() {}

  /** Makes one, if it is not there; false if that fails or what is there is not ours alone. */
  public static boolean make(Path folder) {
    try {
      try {
        Files.createDirectory(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(ONLY_OURS)));
      } catch (FileAlreadyExistsException e) {
        // the usual case
      }
      return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
          && Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(ownUser())
          && Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS)
              .equals(PosixFilePermissions.fromString(ONLY_OURS));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * The number of this process' user.
   *
   * @throws IOException where the system does not tell
   */
  public static int ownUser() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }
}
