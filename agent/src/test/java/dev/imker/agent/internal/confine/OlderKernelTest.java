package dev.imker.agent.internal.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.TaskUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What our own program needs of the kernel, older ones lack. */
@EnabledOnOs(OS.LINUX)
final class OlderKernelTest {
  private static final Programs PROGRAMS = new Programs("/usr/local/bin:/usr/bin:/bin");

  @TempDir Path folder;

  /** Our program on a kernel without a system call. */
  private SandboxMaker without(int call) throws IOException {
    Optional<Path> python = PROGRAMS.find("python3");
    assumeTrue(python.isPresent(), "there is no Python to pose as an older kernel");
    Optional<SandboxMaker> box = SandboxMakers.all().stream().filter(SandboxMaker::own).findFirst();
    assumeTrue(box.isPresent(), "there is no C compiler");
    Path script = Path.of("src/test/resources/older_kernel.py").toAbsolutePath();
    String line =
        "#!/bin/sh\nexec %s %s %d %s \"$@\"\n"
            .formatted(python.orElseThrow(), script, call, box.orElseThrow().program());
    Path program = Files.writeString(folder.resolve("imker-box"), line);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return SandboxMaker.own(program).orElseThrow();
  }

  private static Bubblewrap.Attempt find(List<SandboxMaker> makers) {
    return Bubblewrap.find(
        makers, SystemView.Wanted.showing(), TaskUser.find(PROGRAMS), Optional.empty());
  }

  /**
   * In turn: open_tree, move_mount, fsopen, fsconfig, fsmount, clone3, close_range, openat2,
   * mount_setattr.
   */
  @ParameterizedTest
  @ValueSource(ints = {428, 429, 430, 431, 432, 435, 436, 437, 442})
  void what_the_kernel_lacks_leaves_sandboxes_to_bubblewrap_and_is_told(int call) throws Exception {
    SandboxMaker box = without(call);
    Bubblewrap.Attempt alone = find(List.of(box));
    assertThat(alone.sandbox()).isEmpty();
    assertThat(alone.reason())
        .startsWith("imker-box")
        .contains("does not work here: ", "Function not implemented")
        .endsWith("; bubblewrap (bwrap) is not installed");
    List<SandboxMaker> both = new ArrayList<>(List.of(box));
    SandboxMaker.bubblewrap(PROGRAMS).ifPresent(both::add);
    assumeTrue(find(both.subList(1, both.size())).sandbox().isPresent(), "no bubblewrap here");
    assertThat(find(both).sandbox().orElseThrow().inWords())
        .startsWith("bubblewrap ")
        .contains("imker-box", "Function not implemented");
  }

  @Test
  void one_without_the_second_call_that_asks_for_rights_still_makes_sandboxes() throws Exception {
    Bubblewrap.Attempt attempt = find(List.of(without(439))); // faccessat2
    assertThat(attempt.reason()).isEmpty();
    assertThat(attempt.sandbox()).isPresent();
  }
}
