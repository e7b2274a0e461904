package dev.imker.testbase;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Lets tests that do not say how long they wait do so for a minute. Awaitility's own ten seconds
 * are too few on a machine with other work; who waits in vain has failed anyway.
 *
 * <p>Found by JUnit wherever this module is on the class path.
 */
public final class PatientWaits implements TestExecutionListener {
  static final Duration PATIENCE = Duration.ofMinutes(1);

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    Awaitility.setDefaultTimeout(PATIENCE);
  }
}
