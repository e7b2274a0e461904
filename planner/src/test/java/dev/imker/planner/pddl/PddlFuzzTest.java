package dev.imker.planner.pddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.planner.PlanLimits;
import dev.imker.planner.Planner;
import dev.imker.testbase.Trials;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever the text, the reader answers with a model or a located error. */
class PddlFuzzTest {
  private static final String[] PIECES = {
    "(",
    ")",
    "?x",
    "-",
    ":action",
    ":types",
    "define",
    "domain",
    "and",
    "not",
    "=",
    "either",
    "at",
    " ",
    "\n",
    ";",
    "\0",
    "\"",
    "é",
    "(define (domain d)",
    ":effect",
    ":parameters",
    "()",
    "\uD800"
  };

  @Trials(2000)
  void random_text_is_read_or_refused(long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "(define (domain d) " : "");
    int length = random.nextInt(60);
    for (int i = 0; i < length; i++) {
      text.append(
          random.nextInt(10) == 0
              ? String.valueOf((char) random.nextInt(0x10000))
              : PIECES[random.nextInt(PIECES.length)]);
    }
    read(text.toString(), PddlTest.PROBLEM);
  }

  @Trials(2000)
  void mutated_text_is_read_or_refused(long seed) {
    Random random = new Random(seed);
    read(mutated(PddlTest.DOMAIN, random), PddlTest.PROBLEM);
    read(PddlTest.DOMAIN, mutated(PddlTest.PROBLEM, random));
  }

  private static String mutated(String text, Random random) {
    StringBuilder result = new StringBuilder(text);
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(result.length());
      switch (random.nextInt(4)) {
        case 0 -> result.deleteCharAt(at);
        case 1 -> result.insert(at, PIECES[random.nextInt(PIECES.length)]);
        case 2 -> result.delete(at, Math.min(result.length(), at + random.nextInt(40)));
        default -> result.insert(at, result.substring(at, Math.min(result.length(), at + 30)));
      }
    }
    return result.toString();
  }

  /** What can be read can also be planned, or at least tried. */
  private static void read(String domainText, String problemText) {
    try {
      Domain domain = Pddl.domain(domainText);
      Problem problem = Pddl.problem(problemText, domain);
      assertThat(Planner.plan(domain, problem, PlanLimits.of(Duration.ofSeconds(5)))).isNotNull();
    } catch (PddlException refused) {
      assertThat(refused.line()).isPositive();
      assertThat(refused.column()).isPositive();
      assertThat(refused.problem()).isNotBlank();
    }
  }

  @Test
  void deep_nesting_exhausts_no_stack() {
    int depth = 200_000;

    assertThatThrownBy(() -> Pddl.domain("(".repeat(depth))).isInstanceOf(PddlException.class);
    assertThatThrownBy(() -> Pddl.domain("(".repeat(depth) + ")".repeat(depth)))
        .isInstanceOf(PddlException.class);
    Domain domain =
        Pddl.domain(
            "(define (domain d) (:predicates (p)) (:action a :effect "
                + "(and ".repeat(depth)
                + "(p)"
                + ")".repeat(depth)
                + "))");
    assertThat(domain.actions().getFirst().effect()).hasSize(1);
    assertThat(
            Pddl.domain(
                    "(define (domain d) (:predicates (p)) (:action a :effect "
                        + "(not ".repeat(depth)
                        + "(p)"
                        + ")".repeat(depth)
                        + "))")
                .actions())
        .hasSize(1);
  }

  @Test
  void an_action_with_very_many_parameters_is_refused() {
    StringBuilder parameters = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      parameters.append("?p").append(i).append(' ');
    }

    assertThatThrownBy(
            () -> Pddl.domain("(define (domain d) (:action a :parameters (" + parameters + ")))"))
        .isInstanceOf(PddlException.class)
        .hasMessageContaining("at most 255 parameters");
  }

  @Test
  void very_long_text_is_refused() {
    assertThatThrownBy(() -> Pddl.domain(" ".repeat(Pddl.MAX_CHARS + 1)))
        .isInstanceOf(PddlException.class);
  }
}
