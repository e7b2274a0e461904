package dev.imker.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation is worth something: it finds what is wrong on purpose. */
class MutationsTest {
  private static final long MAX_SEEDS = 10_000;

  @ParameterizedTest
  @EnumSource(MutantStores.class)
  void a_wrong_store_is_found(MutantStores mutant) {
    Seeds seeds = new Seeds(mutant);
    assertFound(mutant == MutantStores.HALF_READ ? HALF_READ_SEED : 1, seeds::breaks);
  }

  /** A rare one: begin near a seed that is known to find it. */
  private static final long HALF_READ_SEED = 2_350;

  @Test
  void a_lease_that_is_renewed_after_it_expired_is_found() throws ReflectiveOperationException {
    MutantClasses mutant = new MutantClasses("dev.imker.core.AgentEvents", "mayGoOn");
    Class<?> type = mutant.loadClass(Seeds.class.getName());
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true); // that of another class loader is in another package
    Object seeds = constructor.newInstance();
    Method run = type.getDeclaredMethod("breaks", long.class);
    run.setAccessible(true);
    assertFound(
        1,
        seed -> {
          try {
            return (boolean) run.invoke(seeds, seed);
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat(mutant.hasChanged()).isTrue();
  }

  private static void assertFound(long first, LongPredicate findsIt) {
    long seed = first;
    while (seed < first + MAX_SEEDS && !findsIt.test(seed)) {
      seed++;
    }
    System.out.println("found with seed " + seed);
    assertThat(seed).isLessThan(first + MAX_SEEDS);
  }
}
