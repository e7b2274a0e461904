package dev.imker.testbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.slf4j.LoggerFactory;

@ExpectedLogs("(?i)the disk|the plug")
class LogWatcherTest {

  @ExtendWith(LogWatcher.class)
  static class Silent {
    @Test
    void nothing_is_logged() {}
  }

  @ExtendWith(LogWatcher.class)
  @ExpectedLogs("WARN .* the plug")
  static class Provoking {
    @Test
    void a_plug_is_pulled() {
      LoggerFactory.getLogger("dev.imker.test").warn("Somebody pulled the plug");
    }
  }

  @ExtendWith(LogWatcher.class)
  @ExpectedLogs("WARN .* the plug")
  static class Surprising {
    @Test
    void the_disk_stumbles() {
      LoggerFactory.getLogger("dev.imker.test").error("Cannot write to the disk");
    }
  }

  @ExtendWith(LogWatcher.class)
  static class Leaving {
    static final CountDownLatch OTHERS = new CountDownLatch(1);
    static final Thread LATE =
        new Thread(
            () -> {
              OTHERS.countDown();
              Surviving.AT_WORK.join();
              LoggerFactory.getLogger("dev.imker.test").warn("The disk is still busy with this");
            });

    @Test
    void a_thread_stays_behind() throws InterruptedException {
      LATE.start();
      OTHERS.await();
    }
  }

  @ExtendWith(LogWatcher.class)
  static class Surviving {
    static final CompletableFuture<Void> AT_WORK = new CompletableFuture<>();

    @Test
    void the_thread_of_an_earlier_class_complains() throws InterruptedException {
      AT_WORK.complete(null);
      Leaving.LATE.join();
    }
  }

  @ExtendWith(LogWatcher.class)
  static class Threaded {
    @Test
    void a_thread_of_its_own_stumbles() throws InterruptedException {
      Thread.ofVirtual()
          .start(() -> LoggerFactory.getLogger("dev.imker.test").error("Cannot read the disk"))
          .join();
    }
  }

  @Test
  void a_class_answers_for_its_own_threads_only() {
    assertThat(run(Leaving.class).getTotalFailureCount()).isZero();
    assertThat(run(Surviving.class).getTotalFailureCount()).isZero();
    assertThat(run(Threaded.class).getFailures()).hasSize(1);
  }

  @Test
  void only_what_nobody_expects_fails_a_class() {
    assertThat(run(Silent.class).getTotalFailureCount()).isZero();
    assertThat(run(Provoking.class).getTotalFailureCount()).isZero();
    TestExecutionSummary surprising = run(Surprising.class);
    assertThat(surprising.getFailures()).hasSize(1);
    assertThat(surprising.getFailures().getFirst().getException())
        .hasMessageContaining("ERROR dev.imker.test Cannot write to the disk");
  }

  private static TestExecutionSummary run(Class<?> tests) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(tests))
            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    return listener.getSummary();
  }
}
