package dev.imker.agent.internal.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.internal.process.ControlGroups;
import dev.imker.agent.internal.process.ProcessLimits;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.TaskGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Control groups as files: what the kernel would read, read back. */
@DisabledOnOs(OS.WINDOWS)
final class GroupFolderTest {
  @TempDir Path folder;

  private static String own(String mount, String membership) {
    return GroupFolder.of(
            List.of("22 1 8:1 / / rw - ext4 /dev/sda1 rw", mount), List.of(membership))
        .map(group -> group.path().toString())
        .orElse("none");
  }

  @Test
  void the_own_group_is_found_wherever_groups_are_mounted() {
    String unified =
        "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate";
    assertThat(own(unified, "0::/user.slice/user-1000.slice/imker-agent.service"))
        .isEqualTo("/sys/fs/cgroup/user.slice/user-1000.slice/imker-agent.service");
    assertThat(own(unified, "0::/")).isEqualTo("/sys/fs/cgroup");
    String hybrid = "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw";
    assertThat(own(hybrid, "0::/a")).isEqualTo("/sys/fs/cgroup/unified/a");
  }

  @Test
  void a_container_sees_only_its_part_of_the_groups() {
    String part = "41 31 0:38 /docker/abc /my\\040groups rw - cgroup2 cgroup2 rw";
    assertThat(own(part, "0::/docker/abc/x")).isEqualTo("/my groups/x");
    assertThat(own(part, "0::/docker/abc")).isEqualTo("/my groups");
    assertThat(own(part, "0::/docker/abcd")).isEqualTo("none");
    assertThat(own(part, "0::/../other")).isEqualTo("none");
  }

  @Test
  void without_groups_of_version_2_there_is_none() {
    assertThat(own("31 23 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu", "1:cpu:/a"))
        .isEqualTo("none");
  }

  @Test
  void controllers_that_are_there_get_the_limits_and_others_are_passed_over() throws IOException {
    for (String file :
        List.of("memory.max", "memory.oom.group", "pids.max", "cpu.weight", "cpu.max")) {
      Files.createFile(folder.resolve(file));
    }
    ProcessLimits limits = new ProcessLimits(1 << 20, 0, 10, 0, 0).withCores(25);
    new TaskGroup(new GroupFolder(folder)).limit(limits, ProcessPriority.LOWEST);
    assertThat(folder.resolve("memory.max")).hasContent("1048576");
    assertThat(folder.resolve("memory.oom.group")).hasContent("1");
    assertThat(folder.resolve("pids.max")).hasContent("320");
    assertThat(folder.resolve("cpu.weight")).hasContent("1");
    assertThat(folder.resolve("cpu.max")).hasContent("25000 100000");
    assertThat(folder.resolve("io.weight")).doesNotExist();
  }

  @Test
  void where_the_kernel_knows_idle_groups_the_weight_stays() throws IOException {
    Files.createFile(folder.resolve("cpu.idle"));
    Files.writeString(folder.resolve("cpu.weight"), "100");
    Files.createFile(folder.resolve("io.weight"));
    new TaskGroup(new GroupFolder(folder)).limit(ProcessLimits.NONE, ProcessPriority.LOWEST);
    assertThat(folder.resolve("cpu.idle")).hasContent("1");
    assertThat(folder.resolve("cpu.weight")).hasContent("100");
    assertThat(folder.resolve("io.weight")).hasContent("default 1");
  }

  @Test
  void figures_are_read_and_files_in_memory_are_not_the_tasks() throws IOException {
    Files.writeString(folder.resolve("cpu.stat"), "usage_usec 1234567\nuser_usec 1000000\n");
    Files.writeString(folder.resolve("memory.peak"), "5000000\n");
    Files.writeString(folder.resolve("memory.stat"), "anon 0\nfile 1000000\nkernel 7\n");
    Files.writeString(folder.resolve("memory.events"), "low 0\noom 1\noom_kill 2\n");
    TaskGroup group = new TaskGroup(new GroupFolder(folder));
    assertThat(group.cpuMicros()).isEqualTo(1_234_567);
    assertThat(group.peakBytes()).isEqualTo(4_000_000);
    assertThat(group.ranOutOfMemory()).isTrue();
  }

  @Test
  void a_service_moves_aside_to_hand_its_controllers_down() throws IOException {
    String self = Integer.toString(ProcFs.self());
    Files.writeString(folder.resolve("cgroup.controllers"), "cpuset memory hugetlb\n");
    Files.writeString(folder.resolve("cgroup.subtree_control"), "");
    Files.writeString(folder.resolve("cgroup.procs"), self + "\n");
    Path aside = Files.createDirectory(folder.resolve("imker-agent"));
    Files.createFile(aside.resolve("cgroup.procs"));
    ControlGroups.handDown(new GroupFolder(folder));
    assertThat(aside.resolve("cgroup.procs")).hasContent(self);
    assertThat(folder.resolve("cgroup.subtree_control")).hasContent("+memory");
  }

  @Test
  void a_group_with_strangers_in_it_is_left_as_it_is() throws IOException {
    Files.writeString(folder.resolve("cgroup.controllers"), "memory\n");
    Files.writeString(folder.resolve("cgroup.subtree_control"), "");
    Files.writeString(folder.resolve("cgroup.procs"), ProcFs.self() + "\n1\n");
    ControlGroups.handDown(new GroupFolder(folder));
    assertThat(folder.resolve("imker-agent")).doesNotExist();
    assertThat(folder.resolve("cgroup.subtree_control")).isEmptyFile();
  }

  @Test
  void a_folder_that_is_no_group_is_not_taken_for_one() throws IOException {
    Files.createFile(folder.resolve("cgroup.procs"));
    ControlGroups.Attempt attempt = ControlGroups.below(new GroupFolder(folder), false);
    assertThat(attempt.groups()).isEmpty();
    assertThat(attempt.inWords()).contains("sessions and process groups", "5.14");
    assertThat(folder).isDirectoryNotContaining("glob:**imker*");
  }
}
