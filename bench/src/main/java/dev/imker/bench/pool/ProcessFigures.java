package dev.imker.bench.pool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What another Java process uses. */
public final class ProcessFigures {
  private static final Pattern USED = Pattern.compile("(?:total|heap).*?used (\\d+)K");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

  private ProcessFigures() {}

  /** Collects garbage first. */
  public static double usedHeapMegabytes(long pid) throws IOException, InterruptedException {
    jcmd(pid, "GC.run");
    return number(USED, jcmd(pid, "GC.heap_info")) / 1024.0;
  }

  public static double residentMegabytes(long pid) throws IOException {
    return number(RESIDENT, Files.readString(Path.of("/proc/" + pid + "/status"))) / 1024.0;
  }

  public static double cpuSeconds(long pid) {
    return ProcessHandle.of(pid)
            .flatMap(process -> process.info().totalCpuDuration())
            .orElse(Duration.ZERO)
            .toMillis()
        / 1000.0;
  }

  private static long number(Pattern pattern, String text) throws IOException {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IOException("no memory figure found");
    }
    return Long.parseLong(matcher.group(1));
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    String tool = System.getProperty("java.home") + "/bin/jcmd";
    Process process =
        new ProcessBuilder(tool, Long.toString(pid), command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }
}
