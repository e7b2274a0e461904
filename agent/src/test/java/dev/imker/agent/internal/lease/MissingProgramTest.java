package dev.imker.agent.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MissingProgramTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/bin/sh: 1: convertt: not found                   | convertt",
        "sh: convertt: not found                           | convertt",
        "/bin/bash: line 1: ./run.sh: command not found    | ./run.sh",
        "bash: convertt: command not found                 | convertt",
        "zsh:1: command not found: convertt                | convertt",
        "imker-box: command not found: convertt            | convertt",
        "/usr/bin/env: ‘python9’: No such file or directory | python9",
        "env: 'python9': No such file or directory         | python9",
        "Error: the page was not found                     |",
        "                                                  |",
      })
  void the_last_line_of_a_shell_tells_which(String line, String name) {
    String errors = "before: not found\n" + (line == null ? "" : line) + "\n";
    assertThat(MissingProgram.in(line == null ? "" : errors).orElse(null)).isEqualTo(name);
  }

  @Test
  void a_report_names_it_only_if_that_is_what_happened() {
    assertThat(error(Outcome.FAILED, 127)).isEqualTo("Command not found: x (exit code 127).");
    assertThat(error(Outcome.FAILED, 1)).isEqualTo("before");
    assertThat(error(Outcome.STOPPED, 127)).isEqualTo("before");
  }

  private static String error(Outcome outcome, int code) {
    Finished.Builder report =
        Finished.newBuilder()
            .setOutcome(outcome)
            .setExitCode(code)
            .setError("before")
            .setStderr(ByteString.copyFromUtf8("sh: 1: x: not found\n"));
    MissingProgram.name(report);
    return report.getError();
  }
}
