package dev.imker.agent.internal.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.internal.process.ProcessExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ThreadCoresTest {
  /** What a new thread may run on once it, or the one that began it, was told. */
  private static String allowed(long[]... masks) {
    return CompletableFuture.supplyAsync(
            () -> {
              for (long[] mask : masks) {
                ThreadCores.bind(mask);
              }
              return CompletableFuture.supplyAsync(ThreadCoresTest::own, OTHER_THREAD).join();
            },
            OTHER_THREAD)
        .join();
  }

  private static final Executor OTHER_THREAD = work -> Thread.ofPlatform().start(work);

  private static String own() {
    try {
      return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void a_thread_and_what_it_begins_stay_on_their_cores_until_they_are_released() {
    BitSet last = new BitSet();
    int core = ProcessExecutor.best().cores().length() - 1;
    last.set(core);
    String usual = own();
    assertThat(allowed(last.toLongArray())).endsWith(":\t" + core);
    assertThat(allowed(last.toLongArray(), new long[0])).isEqualTo(usual);
    assertThat(own()).isEqualTo(usual);
  }
}
