package dev.imker.agent.internal.platform;

import com.sun.management.OperatingSystemMXBean;
import dev.imker.wire.proto.MachineUsage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much of this machine everything on it uses together, whoever started it. */
public final class MachineUse {
  private final Path folder;
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /**
   * @param folder on the file system that is looked at
   */
  public MachineUse(Path folder) {
    this.folder = folder;
  }

  /** Cores are those that were busy since the last call. */
  public MachineUsage now() {
    double cpu = system.getCpuLoad();
    long freeBytes = PlatformProbe.availableMemoryBytes();
    return MachineUsage.newBuilder()
        .setCores(Double.isNaN(cpu) ? 0 : Math.clamp(cpu, 0, 1) * PlatformProbe.cores())
        .setMemoryBytes(Math.max(0, system.getTotalMemorySize() - freeBytes))
        .setDiskBytes(diskBytes())
        .build();
  }

  private long diskBytes() {
    try {
      FileStore store = Files.getFileStore(folder);
      return Math.max(0, store.getTotalSpace() - store.getUnallocatedSpace());
    } catch (IOException e) {
      return 0;
    }
  }
}
