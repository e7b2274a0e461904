package dev.imker.agent.internal.work;

import dev.imker.model.Lease;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** The folders of all leases of one agent. */
public final class WorkArea {
  private static final FileAttribute<?>[] PRIVATE =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
          ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
          }
          : new FileAttribute<?>[0];

  private final Path work;
  private final Path temporary;
  private final Path output;

  private WorkArea(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    Files.createDirectories(absolute);
    this.work = Files.createDirectory(absolute.resolve("work"), PRIVATE);
    this.temporary = Files.createDirectory(absolute.resolve("tmp"), PRIVATE);
    this.output = Files.createDirectory(absolute.resolve("output"), PRIVATE);
  }

  /** Begins with nothing: what an earlier agent left in the folder is deleted. */
  public static WorkArea begin(Path folder) throws IOException {
    for (String name : new String[] {"work", "tmp", "output"}) {
      TaskFolder.deleteTree(folder.resolve(name));
    }
    return new WorkArea(folder);
  }

  public TaskFolder create(Lease lease) throws IOException {
    String name = lease.task() + "-" + Long.toHexString(lease.token().value());
    return new TaskFolder(
        Files.createDirectory(work.resolve(name), PRIVATE),
        Files.createDirectory(temporary.resolve(name), PRIVATE),
        output.resolve(name + ".out"),
        output.resolve(name + ".err"));
  }
}
