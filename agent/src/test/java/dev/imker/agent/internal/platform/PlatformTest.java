package dev.imker.agent.internal.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlatformTest {
  @TempDir Path folder;

  @Test
  void the_machine_has_cores_memory_and_disk() {
    Platform platform = PlatformProbe.probe(folder, 0, Map.of("java", "25"), Set.of("quick"));
    assertThat(platform.cores()).isPositive();
    assertThat(platform.memoryBytes()).isPositive();
    assertThat(platform.diskBytes()).isPositive();
    assertThat(platform.hostName()).isNotEmpty();
    assertThat(platform.runtimes()).containsEntry("java", "25");
    assertThat(platform.labels()).containsExactly("quick");
  }

  @Test
  void a_node_is_known_by_its_system_without_telling_the_systems_own_identity() throws Exception {
    Path machineId = Files.writeString(folder.resolve("machine-id"), "0123456789abcdef0123\n");
    NodeId node = NodeIdentity.find(machineId, folder);
    assertThat(node).isEqualTo(NodeIdentity.find(machineId, folder.resolve("elsewhere")));
    assertThat(node.value()).doesNotContain("0123456789abcdef");
  }

  @Test
  void a_node_without_identity_gets_one_that_stays() throws Exception {
    Path none = folder.resolve("none");
    assertThat(NodeIdentity.find(none, folder)).isEqualTo(NodeIdentity.find(none, folder));
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
    Runtimes runtimes = new Runtimes(file, bin.toString());
    assertThat(runtimes.present()).containsExactly(Map.entry("perl", ""));
    runtimes.learnVersions();
    Runtimes next = new Runtimes(file, bin.toString());
    next.learnVersions();
    assertThat(next.present()).containsExactly(Map.entry("perl", "5.36.0"));
    assertThat(asked).hasContent("x");
  }

  private static void program(Path file, String line) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
