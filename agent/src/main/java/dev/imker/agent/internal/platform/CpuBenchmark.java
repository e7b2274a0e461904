package dev.imker.agent.internal.platform;

import dev.imker.agent.internal.cache.Sha256;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How fast a core of this machine is: the time for a standard amount of work, taken from short
 * samples. Measured once per hardware and kept in a file, which several machines may share.
 *
 * <p>A unit of work mixes integer arithmetic, square roots and accesses to half a megabyte. The
 * standard work is so many units that a core of a current desktop takes some three seconds: the
 * fastest class of the strategies ends at five. Time of the thread's processor is counted where the
 * system tells it, so that other work on the machine does not make it look slow; of several samples
 * the best one counts, for the same reason.
 */
public final class CpuBenchmark {
  private static final Logger LOG = LoggerFactory.getLogger(CpuBenchmark.class);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int VERSION = 1;
  private static final int STANDARD_UNITS = 8_000;
  private static final int STEPS_PER_UNIT = 100_000;
  private static final int SAMPLES = 10;
  private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Path file;
  private final String hardware;
  private final long[] table = new long[1 << 16];
  private volatile double millis;
  private double sink;

  public CpuBenchmark(Path file) {
    this(file, hardware());
  }

  CpuBenchmark(Path file, String hardware) {
    this.file = file;
    this.hardware = Sha256.of(VERSION + " " + hardware).substring(0, 16);
    this.millis = kept();
  }

  /** Milliseconds for the standard work; 0 while unknown. */
  public double millis() {
    return millis;
  }

  /**
   * Measures if that has not been done on this hardware; about half a second of one core. False if
   * it was known.
   */
  public boolean measure() {
    if (millis > 0) {
      return false;
    }
    double nanosPerUnit = Double.POSITIVE_INFINITY;
    for (int i = 0; i < SAMPLES; i++) {
      nanosPerUnit = Math.min(nanosPerUnit, sample());
    }
    millis = Math.max(1, Math.rint(nanosPerUnit * STANDARD_UNITS / 1e6));
    LOG.debug("Benchmark: {} ms ({})", millis, sink);
    keep();
    return true;
  }

  private double sample() {
    long start = nanos();
    long end = start;
    int units = 0;
    while (end - start < SAMPLE_NANOS) {
      unit(units++);
      end = nanos();
    }
    return (double) (end - start) / units;
  }

  private void unit(int seed) {
    long state = seed;
    double sum = 0;
    for (int i = 0; i < STEPS_PER_UNIT; i++) {
      // Knuth's MMIX generator: its upper bits pick the place.
      state = state * 6364136223846793005L + 1442695040888963407L;
      int place = (int) (state >>> 48);
      table[place] ^= state;
      sum += Math.sqrt((double) (table[place] >>> 1));
    }
    sink += sum;
  }

  private static long nanos() {
    long cpu = THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : -1;
    return cpu >= 0 ? cpu : System.nanoTime();
  }

  private double kept() {
    try {
      return Double.parseDouble(load().getProperty(hardware, "0"));
    } catch (IOException | IllegalArgumentException e) {
      return 0; // measured anew
    }
  }

  private Properties load() throws IOException {
    Properties properties = new Properties();
    try (var in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(in);
    }
    return properties;
  }

  private void keep() {
    Properties properties = new Properties();
    try {
      properties = load();
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("No earlier benchmark was saved", e);
    }
    properties.setProperty(hardware, Double.toString(millis));
    try {
      Path draft = Files.createTempFile(file.getParent(), "benchmark", ".new");
      try (var out = Files.newBufferedWriter(draft, StandardCharsets.UTF_8)) {
        properties.store(out, null);
      }
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      LOG.debug("The benchmark could not be saved", e);
    }
  }

  private static String hardware() {
    String cores = Runtime.getRuntime().availableProcessors() + " cores";
    Path linux = Path.of("/proc/cpuinfo");
    if (Files.isReadable(linux)) {
      try (Stream<String> lines = Files.lines(linux)) {
        String model = lines.filter(line -> line.startsWith("model name")).findFirst().orElse("");
        return PlatformProbe.arch() + " " + model.replaceFirst(".*: *", "") + " " + cores;
      } catch (IOException e) {
        LOG.debug("The processor's name cannot be read", e);
      }
    }
    return PlatformProbe.arch()
        + " "
        + System.getenv().getOrDefault("PROCESSOR_IDENTIFIER", "")
        + " "
        + cores;
  }
}
