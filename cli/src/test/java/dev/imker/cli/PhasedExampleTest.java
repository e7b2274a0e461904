package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tasks on two machines that wait for each other between map, sort and reduce, as documented. */
@EnabledOnOs(OS.LINUX)
class PhasedExampleTest {
  private static final int PARTS = 4;

  @TempDir Path folder;

  private static Path example(String name) {
    return Path.of(
        Objects.requireNonNull(System.getProperty("imker.root")), "examples/phased", name);
  }

  @Test
  void words_are_counted_in_three_phases_by_tasks_of_two_agents() throws IOException {
    try (PoolFixture pool = PoolFixture.start(folder)) {
      pool.addUsualAgent("one", PARTS / 2);
      pool.addUsualAgent("two", PARTS / 2);
      Path out = folder.resolve("out");
      ImkerProcess.Finished finished =
          pool.imker(
              "submit",
              example("word-count.yaml").toString(),
              "--wait",
              "--results",
              out.toString());
      assertThat(finished.exitCode()).as(finished.out() + finished.err()).isZero();
      Map<String, Integer> counted = new TreeMap<>();
      for (int part = 1; part <= PARTS; part++) {
        for (String line : Files.readAllLines(out.resolve("000" + part + "/counts.txt"))) {
          String[] words = line.split(" ", -1);
          assertThat(counted.put(words[0], Integer.valueOf(words[1]))).as(line).isNull();
        }
      }
      assertThat(counted).isEqualTo(countedAlone());
    }
  }

  private static Map<String, Integer> countedAlone() throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    for (String word :
        Files.readString(example("text.txt")).toLowerCase(Locale.ROOT).split("\\s+", -1)) {
      if (!word.isEmpty()) {
        counts.merge(word, 1, Integer::sum);
      }
    }
    return counts;
  }
}
