package dev.imker.model.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.InputException;
import dev.imker.model.Specs;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.SweepAxis;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

class SweepPropertyTest {
  /** What is typed, and how many values it stands for. */
  record Braces(String text, int values) {}

  @Trials(300)
  void number_of_tasks_is_the_product_of_the_values(Generator random) {
    List<Braces> words = random.listOf(0, 4, SweepPropertyTest::braces);
    Sweep sweep = SweepParser.parse(words.stream().map(Braces::text).toList(), List.of());
    long product = words.stream().mapToLong(Braces::values).reduce(1, (a, b) -> a * b);
    assertThat(sweep.size()).isEqualTo(product);
    assertThat(Specs.of(sweep.command(), sweep.axes()).taskCount()).isEqualTo(product);
  }

  @Trials(300)
  void every_index_has_its_own_combination_and_only_those_of_the_axes(Generator random) {
    List<Braces> words = random.listOf(0, 3, SweepPropertyTest::braces);
    Sweep sweep = SweepParser.parse(words.stream().map(Braces::text).toList(), List.of());
    JobSpec spec = Specs.of(sweep.command(), sweep.axes());
    Set<List<String>> seen = new HashSet<>();
    for (int i = 0; i < spec.taskCount(); i++) {
      List<String> params = spec.params(i);
      assertThat(seen.add(params)).as("combination %s of index %d", params, i).isTrue();
      assertThat(positionOf(params, sweep.axes())).isEqualTo(i);
    }
  }

  @Trials(300)
  void text_without_braces_backslashes_and_dollars_comes_through_unchanged(Generator random) {
    List<String> words =
        random.listOf(0, 20, g -> g.text(' ', 'z', 20).replace("\\", "").replace("$", ""));
    Sweep sweep = SweepParser.parse(words, List.of());
    assertThat(sweep.command()).isEqualTo(words);
    assertThat(sweep.axes()).isEmpty();
  }

  @Trials(300)
  void any_text_is_parsed_or_refused_in_words(Generator random) {
    String word = random.text("{}\\$,.. a1-", 14);
    try {
      Sweep sweep = SweepParser.parse(List.of(word), List.of());
      assertThat(sweep.command()).hasSize(1);
    } catch (InputException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  private static Braces braces(Generator random) {
    if (random.nextBoolean()) {
      int size = random.between(2, 6);
      return new Braces("a{" + String.join(",", values(size)) + "}", size);
    }
    int from = random.between(-20, 20);
    int to = random.between(-20, 20);
    int step = random.between(1, 7);
    return new Braces("{" + from + ".." + to + ".." + step + "}", Math.abs(to - from) / step + 1);
  }

  private static List<String> values(int size) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      values.add("v" + i);
    }
    return values;
  }

  private static long positionOf(List<String> params, List<SweepAxis> axes) {
    long index = 0;
    for (int i = 0; i < axes.size(); i++) {
      long position = 0;
      while (!axes.get(i).value(position).equals(params.get(i))) {
        position++;
      }
      index = index * axes.get(i).size() + position;
    }
    return index;
  }
}
