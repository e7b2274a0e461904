package dev.imker.testbase;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that attacks the pool, says that it was refused and that nothing else changed. The list in
 * docs/attacks.md is made of these by {@code AttackListTest}, which reads them from the sources:
 * the values have to be literals. {@code ./imker test --attacks} runs them and nothing else.
 */
@Tag("attack")
@ExtendWith(AttackCases.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Attack {
  /** What is tried, as in "take the place of another agent with the join token". */
  String value();

  /**
   * How many attacks a parametrised test or a factory of tests makes at least; fewer fail the test.
   * A plain test is one attack.
   */
  int cases() default 1;
}
