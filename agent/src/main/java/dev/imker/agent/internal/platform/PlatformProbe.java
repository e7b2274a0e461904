package dev.imker.agent.internal.platform;

import com.sun.management.OperatingSystemMXBean;
import dev.imker.model.Platform;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Finds out what this machine is and has, without asking anything that could take long. */
public final class PlatformProbe {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private PlatformProbe() {}

  public static Platform probe(
      Path dataFolder, double benchmarkMillis, Map<String, String> runtimes, Set<String> labels) {
    return new Platform(
        os(),
        System.getProperty("os.version"),
        arch(),
        hostName(),
        Runtime.getRuntime().availableProcessors(),
        0,
        SYSTEM.getTotalMemorySize(),
        freeDiskBytes(dataFolder),
        benchmarkMillis,
        runtimes,
        labels);
  }

  public static long freeMemoryBytes() {
    return SYSTEM.getFreeMemorySize();
  }

  /** Load average of the last minute; negative where the system has none. */
  public static double load() {
    return SYSTEM.getSystemLoadAverage();
  }

  static String os() {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    if (name.startsWith("windows")) {
      return "windows";
    }
    return name.startsWith("mac") ? "macos" : name;
  }

  static String arch() {
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return arch.equals("amd64") ? "x86_64" : arch;
  }

  public static String hostName() {
    Path linux = Path.of("/proc/sys/kernel/hostname");
    try {
      return Files.isReadable(linux)
          ? Files.readString(linux).strip()
          : InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    } catch (IOException e) {
      return "localhost";
    }
  }

  private static long freeDiskBytes(Path folder) {
    try {
      return Files.getFileStore(folder).getUsableSpace();
    } catch (IOException e) {
      return 0;
    }
  }
}
