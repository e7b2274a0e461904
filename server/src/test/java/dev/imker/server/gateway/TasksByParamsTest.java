package dev.imker.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.testbase.Trials;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tasks that have wanted values of some parameters. */
class TasksByParamsTest {
  private static Stage stage(List<SweepAxis> sweep) {
    return Stage.of(List.of("x"), sweep);
  }

  private static List<Integer> byLooking(Stage stage, Map<String, String> wanted) {
    List<Integer> found = new ArrayList<>();
    for (int task = 0; task < stage.taskCount(); task++) {
      List<String> values = stage.params(task);
      if (wanted.entrySet().stream()
          .allMatch(
              one -> values.get(stage.paramNames().indexOf(one.getKey())).equals(one.getValue()))) {
        found.add(task);
      }
    }
    return found;
  }

  @Trials(200)
  void are_those_that_a_look_at_all_of_them_finds(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    List<SweepAxis> axes = new ArrayList<>();
    int zipped = random.nextInt(1, 5);
    for (int i = 0; i < random.nextInt(1, 5); i++) {
      boolean zip = random.nextBoolean();
      int size = zip ? zipped : random.nextInt(1, 5);
      SweepAxis axis =
          random.nextInt(3) == 0
              ? random.nextBoolean()
                  ? SweepAxis.range("p" + i, 3, 3 + 2L * (size - 1), 2, 2)
                  : SweepAxis.range("p" + i, 9, 9 - 2L * (size - 1), 2, 0)
              : SweepAxis.of(
                  "p" + i,
                  IntStream.range(0, size).mapToObj(n -> "v" + random.nextInt(3)).toList());
      axes.add(zip ? axis.zippedAs("z") : axis);
    }
    Stage stage = stage(axes);
    Map<String, String> wanted = new HashMap<>();
    for (SweepAxis axis : axes) {
      if (random.nextBoolean()) {
        wanted.put(
            axis.name(), random.nextInt(5) == 0 ? "04" : axis.value(random.nextLong(axis.size())));
      }
    }
    assertThat(TasksByParams.find(stage, wanted)).isEqualTo(byLooking(stage, wanted));
  }

  @Test
  void each_of_two_hundred_thousand_is_found_without_a_look_at_all_others() {
    List<String> values = IntStream.range(0, 200_000).mapToObj(n -> "n" + n).toList();
    Stage stage = stage(List.of(SweepAxis.of("n", values)));
    for (int i = 0; i < values.size(); i++) {
      assertThat(TasksByParams.find(stage, Map.of("n", "n" + i)).equals(List.of(i))).isTrue();
    }
  }
}
