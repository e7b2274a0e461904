package dev.imker.core.internal.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongTableTest {
  @Test
  void behaves_as_a_map_under_random_coming_and_going() {
    long seed = Long.getLong("imker.seed", System.nanoTime());
    Random random = new Random(seed);
    LongTable<String> table = new LongTable<>();
    Map<Long, String> map = new HashMap<>();
    for (int i = 0; i < 50_000; i++) {
      long key = random.nextInt(500) * (random.nextBoolean() ? 1L : 1L << 40);
      if (random.nextInt(3) == 0) {
        assertThat(table.remove(key)).as("seed %d", seed).isEqualTo(map.remove(key));
      } else {
        table.put(key, "v" + i);
        map.put(key, "v" + i);
      }
      assertThat(table.get(key)).as("seed %d", seed).isEqualTo(map.get(key));
    }
    assertThat(table.size()).isEqualTo(map.size());
    map.forEach((key, value) -> assertThat(table.get(key)).isEqualTo(value));
    List<String> values = new ArrayList<>();
    table.forEach(values::add);
    assertThat(values).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(map.values());
  }
}
