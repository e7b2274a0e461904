package dev.imker.agent.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.agent.internal.system.StartFailedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(OS.WINDOWS)
final class ShellLineTest {
  @Test
  void a_line_is_for_the_shell_of_the_system_and_words_are_for_their_program() {
    assertThat(ShellLine.words(List.of("a | b"))).containsExactly("/bin/sh", "-c", "a | b");
    assertThat(ShellLine.words(List.of("#!/bin/x", "y"))).containsExactly("#!/bin/x", "y");
  }

  @Test
  void a_text_can_name_its_shell() {
    String text = "#!/bin/bash -eu\nset -o pipefail\n";
    assertThat(ShellLine.words(List.of(text))).containsExactly("/bin/bash", "-eu", "-c", text);
    String found = "#! /usr/bin/env zsh\necho\n";
    assertThat(ShellLine.words(List.of(found))).containsExactly("/usr/bin/env", "zsh", "-c", found);
  }

  @Test
  void what_is_not_a_shell_is_refused_with_words() {
    for (String text : List.of("#!/usr/bin/perl\nprint 1", "#!", "#!/usr/bin/env python3\n")) {
      assertThatThrownBy(() -> ShellLine.words(List.of(text)))
          .isInstanceOf(StartFailedException.class)
          .hasMessageContaining("does not name a shell")
          .hasMessageContaining("bash");
    }
  }
}
