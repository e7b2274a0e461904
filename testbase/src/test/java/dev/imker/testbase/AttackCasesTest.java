package dev.imker.testbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

class AttackCasesTest {
  /** Not found by a build: its name says nothing of tests. */
  static class Claims {
    @Test
    @Attack("one")
    void one() {}

    @Test
    @Attack(value = "two", cases = 2)
    void one_that_claims_two() {}

    @RepeatedTest(3)
    @Attack(value = "three", cases = 3)
    void three() {}

    @RepeatedTest(3)
    @Attack(value = "four", cases = 4)
    void three_that_claim_four() {}

    @TestFactory
    @Attack(value = "one", cases = 1)
    List<DynamicTest> made() {
      return List.of(dynamicTest("made", () -> {}));
    }

    @TestFactory
    @Attack(value = "two", cases = 2)
    List<DynamicTest> made_that_claims_two() {
      return List.of(dynamicTest("made", () -> {}));
    }
  }

  private static long failures(String method) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectMethod(Claims.class, method))
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    return listener.getSummary().getTotalFailureCount();
  }

  @Test
  void tests_that_make_as_many_attacks_as_they_claim_pass() {
    assertThat(List.of(failures("one"), failures("three"), failures("made"))).containsOnly(0L);
  }

  @Test
  void tests_that_make_fewer_attacks_than_they_claim_fail() {
    assertThat(
            List.of(
                failures("one_that_claims_two"),
                failures("three_that_claim_four"),
                failures("made_that_claims_two")))
        .containsOnly(1L);
  }
}
