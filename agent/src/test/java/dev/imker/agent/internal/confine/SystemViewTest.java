package dev.imker.agent.internal.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
final class SystemViewTest {
  private static final Path SHADOW = Path.of("/etc/shadow");

  @Test
  void settings_are_covered_where_the_task_could_read_them() throws IOException {
    assumeTrue(Files.exists(SHADOW), "this system has no shadow passwords");
    SystemView.Wanted wanted = SystemView.Wanted.showing();
    assertThat(SystemView.of(wanted, false).arguments().contains(SHADOW.toString()))
        .isEqualTo(Files.isReadable(SHADOW));
    assertThat(SystemView.of(wanted, true).arguments()).doesNotContain(SHADOW.toString());
  }

  @Test
  void a_folder_inside_one_that_is_shown_is_not_mounted_again(@TempDir Path outer)
      throws IOException {
    Path inner = Files.createDirectories(outer.resolve("bin/inner"));
    SystemView view = SystemView.of(SystemView.Wanted.showing(inner, outer), false);
    assertThat(Collections.frequency(view.further(), "--ro-bind")).isEqualTo(1);
    assertThat(view.further()).endsWith("--ro-bind", outer.toString(), outer.toString());
    assertThat(view.shows(inner)).isTrue();
  }

  @Test
  void a_folder_that_would_hide_what_is_shown_is_not_free(@TempDir Path outer) throws IOException {
    Path software = Files.createDirectories(outer.resolve("site/software"));
    SystemView.Wanted wanted = new SystemView.Wanted(List.of(), List.of(), List.of(software));
    SystemView view = SystemView.of(wanted, false);
    assertThat(view.leavesFree(outer.resolve("site").toString())).isFalse();
    assertThat(view.leavesFree(software.toString())).isFalse();
    assertThat(view.leavesFree(outer.resolve("sit").toString())).isTrue();
    assertThat(view.leavesFree(outer.resolve("other").toString())).isTrue();
  }
}
