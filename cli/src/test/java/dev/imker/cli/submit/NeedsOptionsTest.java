package dev.imker.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.job.Requirements;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class NeedsOptionsTest {
  private static Requirements needs(String... arguments) {
    return CommandLine.populateCommand(new NeedsOptions(), arguments).needs();
  }

  @Test
  void options_are_needs() {
    Requirements needs =
        needs(
            "--cores=4",
            "--memory=8G * attempt",
            "--gpus=0.5",
            "--disk=20 GB",
            "--resource=fpga=1",
            "--label=lab",
            "--os=linux,macos");
    assertThat(needs.alternatives())
        .containsExactly(
            new Requirements.Need(
                Set.of("linux", "macos"),
                Set.of(),
                4,
                0.5,
                8L << 30,
                20L << 30,
                Set.of("lab"),
                Map.of(),
                0,
                false,
                Map.of("fpga", 1.0),
                false,
                Set.of("memory")));
    assertThat(needs()).isEqualTo(Requirements.ANY);
    Requirements.Need words = needs("--cores=all", "--memory=auto").alternatives().getFirst();
    assertThat(words.wholeMachine() && words.autoMemory()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --cores=-1          | --cores: '-1' is not an amount. Give a number from 0.01 to 100,000 in steps of 0.01, or all.
          --memory=8          | --memory: '8' is not a size with a unit. Write it as 512 MB or 2 GB, or auto.
          --gpus=one          | --gpus: 'one' is not an amount.
          --resource=fpga=0   | --resource fpga: '0' is not an amount.
          --resource=a/b=1    | --resource a/b: 'a/b' is not a valid name.
          """)
  void what_cannot_be_is_told_by_its_option(String argument, String message) {
    assertThatThrownBy(() -> needs(argument)).hasMessageStartingWith(message);
  }
}
