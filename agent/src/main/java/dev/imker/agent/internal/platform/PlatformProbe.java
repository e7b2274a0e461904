package dev.imker.agent.internal.platform;

import com.sun.management.OperatingSystemMXBean;
import dev.imker.agent.Offer;
import dev.imker.model.Platform;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Determines the properties of this machine without slow queries. */
public final class PlatformProbe {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private PlatformProbe() {}

  /** What only the agent as a whole knows about its machine. */
  public record Knowledge(
      double benchmarkMillis,
      List<String> gpus,
      Map<String, String> runtimes,
      Set<String> labels,
      Map<String, String> facts,
      long largestDownloadBytes) {}

  /** The machine as far as its owner offers it. */
  public static Platform probe(Path dataFolder, Offer offer, Knowledge knowledge) {
    Map<String, String> facts = new TreeMap<>(knowledge.facts());
    if (!knowledge.gpus().isEmpty()) {
      facts.put("gpus", String.join(", ", knowledge.gpus()));
    }
    return new Platform(
        os(),
        System.getProperty("os.version"),
        arch(),
        hostName(),
        offer.cores() > 0 ? offer.cores() : cores(),
        offer.gpus() == Offer.FOUND ? knowledge.gpus().size() : offer.gpus(),
        memoryBytes(offer),
        freeDiskBytes(dataFolder),
        knowledge.benchmarkMillis(),
        knowledge.runtimes(),
        knowledge.labels(),
        facts,
        knowledge.largestDownloadBytes(),
        offer.resources());
  }

  /** Memory for all tasks together: nobody can offer more than there is. */
  public static long memoryBytes(Offer offer) {
    long all = SYSTEM.getTotalMemorySize();
    return offer.memoryBytes() > 0 ? Math.min(all, offer.memoryBytes()) : all;
  }

  public static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  public static List<String> gpus() {
    return os().equals("linux") ? Gpus.find(Path.of("/")) : List.of();
  }

  /** For systems whose files do not tell; takes a moment. */
  public static List<String> askForGpus(Programs programs) throws InterruptedException {
    return Gpus.ask(programs);
  }

  private static long freeMemoryBytes() {
    return SYSTEM.getFreeMemorySize();
  }

  /** Memory that new programs can have without swapping; free memory where only that is told. */
  public static long availableMemoryBytes() {
    try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemAvailable:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElseGet(PlatformProbe::freeMemoryBytes);
    } catch (IOException e) {
      return freeMemoryBytes();
    }
  }

  public static String os() {
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
