package dev.imker.client.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ImkerHomeTest {
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void home_is_where_the_scripts_look_for_it_too() {
    assertThat(ImkerHome.of(Map.of("HOME", "/elsewhere")).folder())
        .isEqualTo(Path.of("/elsewhere/.imker"));
    assertThat(ImkerHome.of(Map.of("HOME", "/elsewhere", "IMKER_HOME", "/pool")).folder())
        .isEqualTo(Path.of("/pool"));
  }

  @Test
  void without_a_home_in_the_environment_that_of_the_user_counts() {
    Path usual = Path.of(System.getProperty("user.home"), ".imker");
    assertThat(ImkerHome.of(Map.of()).folder()).isEqualTo(usual);
    assertThat(ImkerHome.of(Map.of("HOME", " ")).folder()).isEqualTo(usual);
  }
}
