package dev.imker.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.util.ArrayList;
import java.util.List;

class StageIndexTest {
  @Trials(200)
  void finds_what_the_specification_counts(Generator random) {
    List<Integer> sizes = random.listOf(1, 12, g -> g.between(1, 9));
    JobSpec spec = spec(sizes);
    StageIndex stages = StageIndex.of(spec);
    assertThat(stages.taskCount()).isEqualTo((int) spec.taskCount());
    for (int i = 0; i < stages.taskCount(); i++) {
      int number = spec.stageNumberOf(i);
      assertThat(stages.numberOf(i)).isEqualTo(number);
      assertThat(stages.params(i)).isEqualTo(spec.params(i));
      assertThat(stages.firstOf(number)).isEqualTo(spec.firstOf(number));
      assertThat(i).isBetween(stages.firstOf(number), stages.endOf(number) - 1);
    }
  }

  private static JobSpec spec(List<Integer> sizes) {
    List<Stage> stages = new ArrayList<>();
    for (int size : sizes) {
      List<SweepAxis> sweep = List.of(SweepAxis.range("n", 1, size, 1, 0));
      stages.add(Stage.of(List.of("echo"), sweep).withName("s" + stages.size()));
    }
    return JobSpec.of("sized", "default", JobKind.COMMAND, stages);
  }
}
