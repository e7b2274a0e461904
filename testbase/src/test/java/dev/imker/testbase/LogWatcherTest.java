package dev.imker.testbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.slf4j.LoggerFactory;

@ExpectedLogs("the disk|the plug")
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
