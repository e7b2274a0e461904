package dev.imker.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class SweepPropertyTest {
  /** What is typed, and how many values it stands for. */
  record Braces(String text, int values) {}

  @Property(tries = 300)
  void number_of_tasks_is_the_product_of_the_values(
      @ForAll("braces") @Size(max = 4) List<Braces> words) {
    Sweep sweep = SweepParser.parse(words.stream().map(Braces::text).toList(), List.of());
    long product = words.stream().mapToLong(Braces::values).reduce(1, (a, b) -> a * b);
    assertThat(sweep.size()).isEqualTo(product);
    assertThat(Specs.of(sweep.command(), sweep.axes()).taskCount()).isEqualTo(product);
  }

  @Property(tries = 300)
  void every_index_has_its_own_combination_and_only_those_of_the_axes(
      @ForAll("braces") @Size(max = 3) List<Braces> words) {
    Sweep sweep = SweepParser.parse(words.stream().map(Braces::text).toList(), List.of());
    JobSpec spec = Specs.of(sweep.command(), sweep.axes());
    Set<List<String>> seen = new HashSet<>();
    for (int i = 0; i < spec.taskCount(); i++) {
      List<String> params = spec.params(i);
      assertThat(seen.add(params)).as("combination %s of index %d", params, i).isTrue();
      assertThat(positionOf(params, sweep.axes())).isEqualTo(i);
    }
  }

  @Property(tries = 300)
  void text_without_braces_backslashes_and_dollars_comes_through_unchanged(
      @ForAll("plainWords") List<String> words) {
    Sweep sweep = SweepParser.parse(words, List.of());
    assertThat(sweep.command()).isEqualTo(words);
    assertThat(sweep.axes()).isEmpty();
  }

  @Property(tries = 300)
  void any_text_is_parsed_or_refused_in_words(@ForAll("nastyWords") String word) {
    try {
      Sweep sweep = SweepParser.parse(List.of(word), List.of());
      assertThat(sweep.command()).hasSize(1);
    } catch (InputException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  @Provide
  Arbitrary<List<Braces>> braces() {
    Arbitrary<Braces> ranges =
        Combinators.combine(
                Arbitraries.integers().between(-20, 20),
                Arbitraries.integers().between(-20, 20),
                Arbitraries.integers().between(1, 7))
            .as(
                (from, to, step) ->
                    new Braces(
                        "{" + from + ".." + to + ".." + step + "}",
                        Math.abs(to - from) / step + 1));
    Arbitrary<Braces> lists =
        Arbitraries.integers()
            .between(2, 6)
            .map(size -> new Braces("a{" + String.join(",", values(size)) + "}", size));
    return Arbitraries.oneOf(ranges, lists).list();
  }

  @Provide
  Arbitrary<List<String>> plainWords() {
    return Arbitraries.strings()
        .withCharRange(' ', 'z')
        .filter(w -> !w.matches(".*[\\\\$].*"))
        .list();
  }

  @Provide
  Arbitrary<String> nastyWords() {
    return Arbitraries.strings().withChars("{}\\$,.. a1-").ofMaxLength(14);
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
