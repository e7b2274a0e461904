package dev.imker.testbase;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that is run many times with random inputs. Its only parameter is a {@code long}, the seed
 * of the trial, or a {@link Generator} made from it.
 *
 * <p>Every run takes other seeds. A failure names the seed of its trial, and {@code
 * -Dimker.seed=SEED} repeats that trial alone.
 */
@Test
@ExtendWith(TrialsExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Trials {
  int value() default 1000;
}
