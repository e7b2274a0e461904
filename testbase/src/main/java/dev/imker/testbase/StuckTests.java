package dev.imker.testbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Ends the tests of a module when one of them does not return although JUnit's own time-out has
 * interrupted it: prints what every thread is doing, leaves a report of the failure beside the
 * others, and halts. Otherwise one test that hangs would keep the whole run from ending.
 *
 * <p>Found by JUnit wherever this module is on the class path.
 */
public final class StuckTests implements TestExecutionListener {
  /** Longer than the time-out of a test in the root POM, which is told more kindly. */
  private static final Duration LIMIT =
      Duration.parse(System.getProperty("imker.stuckTest", "PT12M"));

  private final Map<TestIdentifier, Long> running = new ConcurrentHashMap<>();

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    Thread.ofPlatform().daemon().name("stuck-tests").start(this::watch);
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) {
      running.put(test, System.nanoTime());
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    running.remove(test);
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(Duration.ofSeconds(1));
        running.forEach(this::check);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void check(TestIdentifier test, long startedNanos) {
    if (System.nanoTime() - startedNanos < LIMIT.toNanos()) {
      return;
    }
    String type = test.getSource().map(StuckTests::className).orElse("unknown");
    System.err.println(type + "." + test.getDisplayName() + " does not return. All threads:");
    Thread.getAllStackTraces().forEach(StuckTests::print);
    try {
      report(type, test.getDisplayName());
    } catch (IOException e) {
      System.err.println("No report of it could be written: " + e);
    }
    Runtime.getRuntime().halt(1);
  }

  private static String className(TestSource source) {
    return source instanceof MethodSource method ? method.getClassName() : source.toString();
  }

  private static void print(Thread thread, StackTraceElement[] frames) {
    System.err.println("\"" + thread.getName() + "\" " + thread.getState());
    for (StackTraceElement frame : frames) {
      System.err.println("    at " + frame);
    }
  }

  /** Where the test command looks for failures. */
  private static void report(String type, String test) throws IOException {
    Path reports = Path.of(System.getProperty("basedir", "."), "target", "surefire-reports");
    Files.createDirectories(reports);
    Files.writeString(
        reports.resolve("TEST-stuck-" + type + ".xml"),
        """
        <testsuite name="%s" tests="1" errors="1" failures="0" skipped="0">
          <testcase name="%s" classname="%s">
            <error message="did not return"/>
          </testcase>
        </testsuite>
        """
            .formatted(type, test.replaceAll("[^A-Za-z0-9_. ()-]", "_"), type));
  }
}
