package dev.imker.agent.internal.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.agent.Offer;
import dev.imker.model.ImkerException;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlatformTest {
  @TempDir Path folder;

  @Test
  void the_machine_has_cores_memory_and_disk() {
    PlatformProbe.Knowledge knowledge =
        new PlatformProbe.Knowledge(
            0,
            List.of("Fast One"),
            Map.of("java", "25"),
            Set.of("quick"),
            Map.of("a", "b"),
            5 << 20);
    Platform platform =
        PlatformProbe.probe(folder, Offer.ALL.withCores(3).withMemory(1 << 20), knowledge);
    assertThat(platform.cores()).isEqualTo(3);
    assertThat(platform.memoryBytes()).isEqualTo(1 << 20);
    assertThat(platform.gpus()).isOne();
    assertThat(platform.largestDownloadBytes()).isEqualTo(5 << 20);
    assertThat(platform.facts()).containsEntry("a", "b").containsEntry("gpus", "Fast One");
    assertThat(platform.diskBytes()).isPositive();
    assertThat(platform.hostName()).isNotEmpty();
    assertThat(platform.runtimes()).containsEntry("java", "25");
    assertThat(platform.labels()).containsExactly("quick");
  }

  @Test
  void a_node_is_known_by_its_system_without_telling_the_systems_own_identity() throws Exception {
    Path machineId = Files.writeString(folder.resolve("machine-id"), "0123456789abcdef0123\n");
    String machine = MachineIdentity.first(List.of(folder.resolve("none"), machineId));
    NodeId node = NodeIdentity.of(machine, folder);
    assertThat(node).isEqualTo(NodeIdentity.of(machine, folder.resolve("elsewhere")));
    assertThat(node.value()).doesNotContain("0123456789abcdef");
  }

  @Test
  void copies_of_one_machine_can_be_given_identities_of_their_own() throws Exception {
    Files.writeString(folder.resolve("node-id"), "container-7\n");
    assertThat(NodeIdentity.of("0123456789abcdef0123", folder))
        .isEqualTo(new NodeId("container-7"));
  }

  @Test
  void a_node_without_identity_gets_one_that_stays() throws Exception {
    assertThat(NodeIdentity.of("", folder)).isEqualTo(NodeIdentity.of("", folder));
  }

  @Test
  void a_folder_belongs_to_one_agent_at_a_time() throws Exception {
    try (AgentFolder first = AgentFolder.take(folder)) {
      try (AgentFolder second = AgentFolder.take(folder)) {
        assertThat(second.path()).isNotEqualTo(first.path());
        assertThat(second.id()).isNotEqualTo(first.id());
      }
      assertThat(first.path()).isEqualTo(folder.resolve("agent-1"));
    }
    AgentFolder again = AgentFolder.take(folder);
    assertThat(again.path()).isEqualTo(folder.resolve("agent-1"));
    again.close();
  }

  @Test
  void versions_of_runtimes_are_learnt_once_and_kept() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path asked = folder.resolve("asked");
    program(bin.resolve("perl"), "echo x >> " + asked + "; echo 'This is perl 5, v5.36.0 built'");
    Path file = folder.resolve("runtimes.properties");
    Runtimes runtimes = runtimes(file, bin);
    assertThat(runtimes.present()).containsExactly(Map.entry("perl", ""));
    assertThat(runtimes.learnVersions()).isTrue();
    Runtimes next = runtimes(file, bin);
    assertThat(next.learnVersions()).isFalse();
    assertThat(next.present()).containsExactly(Map.entry("perl", "5.36.0"));
    assertThat(asked).hasContent("x");
  }

  private static Runtimes runtimes(Path file, Path bin) {
    return new Runtimes(file, new Programs(bin.toString()), RuntimeCatalogue.builtIn());
  }

  @Test
  void a_small_file_adds_runtimes_and_replaces_the_usual_ones() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    program(bin.resolve("solver"), "test \"$1\" = -v && echo Solver 3.14");
    program(bin.resolve("pypy"), "echo PyPy 7.3.1");
    Path list = folder.resolve("runtimes.txt");
    Files.writeString(list, "# ours\nsolver = solver -v\npython = nothing | pypy --version\n");
    Runtimes runtimes =
        new Runtimes(
            folder.resolve("kept"), new Programs(bin.toString()), RuntimeCatalogue.with(list));
    runtimes.learnVersions();
    assertThat(runtimes.present())
        .containsOnly(Map.entry("solver", "3.14"), Map.entry("python", "7.3.1"));
  }

  @Test
  void a_line_of_the_list_of_runtimes_that_makes_no_sense_is_named() throws Exception {
    Path list = Files.writeString(folder.resolve("runtimes.txt"), "\nsolver -v\n");
    assertThatThrownBy(() -> RuntimeCatalogue.with(list))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("Line 2 of " + list)
        .hasMessageContaining("solver -v");
  }

  @Test
  void gpus_are_seen_in_the_drivers_files() throws Exception {
    assertThat(Gpus.find(folder)).isEmpty();
    Path gpu = Files.createDirectories(folder.resolve("proc/driver/nvidia/gpus/0000:01:00.0"));
    Files.writeString(gpu.resolve("information"), "Model: \t NVIDIA RTX 4000\nIRQ: 5\n");
    Path card = Files.createDirectories(folder.resolve("sys/class/drm/card1/device"));
    Files.writeString(card.resolve("vendor"), "0x1002\n");
    assertThat(Gpus.find(folder)).containsExactly("NVIDIA RTX 4000");
    Files.createFile(Files.createDirectories(folder.resolve("dev")).resolve("kfd"));
    assertThat(Gpus.find(folder)).containsExactly("NVIDIA RTX 4000", "AMD");
  }

  @Test
  void gpus_are_read_from_what_nvidia_smi_lists() {
    assertThat(Gpus.parseList("GPU 0: NVIDIA A100-PCIE-40GB (UUID: GPU-1)\nGPU 1: Tesla T4\n"))
        .containsExactly("NVIDIA A100-PCIE-40GB", "Tesla T4");
    assertThat(Gpus.parseList("NVIDIA-SMI has failed\n")).isEmpty();
  }

  @Test
  void other_systems_tell_their_identity_in_their_own_words() {
    String uuid = "564D8A5C-1234-5678-9ABC-DEF012345678";
    assertThat(MachineIdentity.parseMac("  \"IOPlatformUUID\" = \"" + uuid + "\"\n"))
        .isEqualTo(uuid);
    assertThat(MachineIdentity.parseWindows("\r\n    MachineGuid    REG_SZ    " + uuid + "\r\n"))
        .isEqualTo(uuid);
    assertThat(MachineIdentity.parseMac("nothing")).isEmpty();
  }

  @Test
  void programs_have_endings_on_windows() throws Exception {
    program(folder.resolve("tool.exe"), "true");
    assertThat(new Programs(folder.toString(), List.of(".exe", "")).find("tool")).isPresent();
    assertThat(new Programs(folder.toString(), List.of("")).find("tool")).isEmpty();
  }

  @Test
  void bandwidth_decides_how_large_inputs_may_be() {
    long second = 1_000_000_000L;
    assertThat(new Bandwidth(1_000_000, second / 10).largestDownloadBytes()).isZero();
    assertThat(new Bandwidth(1_000_000, 10 * second).largestDownloadBytes()).isEqualTo(20 << 20);
    assertThat(new Bandwidth(1_000_000, 60 * second).largestDownloadBytes()).isEqualTo(5 << 20);
    assertThat(new Bandwidth(1_000_000, 61 * second).largestDownloadBytes()).isEqualTo(1 << 20);
    assertThat(new Bandwidth(1_000_000, 10 * second).inWords())
        .isEqualTo("0.1 MB/s, inputs up to 20 MB");
  }

  private static void program(Path file, String line) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
