package dev.imker.agent.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.agent.OwnerActive;
import dev.imker.agent.internal.policy.Policy.SandboxMode;
import dev.imker.model.Platform.Resource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.LocalDateTime;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PolicyTest {
  @TempDir Path folder;

  private static Policy parse(String text) {
    return PolicyReader.parse("policy.yaml", text, OwnerActive.NO);
  }

  @Test
  void without_a_file_everything_is_lent() {
    assertThat(Policy.find(Optional.empty(), folder, OwnerActive.NO)).isEqualTo(Policy.GENEROUS);
    assertThat(parse("# nothing yet\n")).isEqualTo(Policy.GENEROUS);
  }

  @Test
  void what_an_owner_says_of_pausing_counts_more_than_what_is_usual() {
    for (String text : List.of("", "cores: 1\n", "pause: {idle: 5 min}\n")) {
      assertThat(PolicyReader.parse("p", text, OwnerActive.SCREEN).neighbour().ownerActive())
          .isEqualTo(OwnerActive.SCREEN);
    }
    String no = "pause: {owner-active: no}\n";
    assertThat(PolicyReader.parse("p", no, OwnerActive.SCREEN).neighbour().ownerActive())
        .isEqualTo(OwnerActive.NO);
    assertThat(parse("pause: {owner-active: screen}\n").neighbour().ownerActive())
        .isEqualTo(OwnerActive.SCREEN);
  }

  @Test
  void an_owner_can_say_all_of_it() throws Exception {
    String key =
        Base64.getEncoder()
            .encodeToString(
                KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPublic().getEncoded());
    Path file = folder.resolve("policy.yaml");
    Files.writeString(
        file,
        """
        cores: 2
        memory: 4 GB
        task:
          memory: 512 MB
          cpu-time: 2 h
          run-time: 90 min
          processes: 200
          open-files: 1024
          disk: 1.5 GB
        gpus: 0
        resources: {fpga: 2, camera: [left, right]}
        network: no
        serves: [ada, bob/render, "*"]
        signed: yes
        trust: %s
        sandbox: on
        show: /data/shared
        hours: [mon-fri 18:00-08:00, sat]
        pause:
          owner-active: yes
          others-load: 30 %%
          idle: 5 min
          free-memory: 1 GB
          give-back: 20 min
          shrink-to: 3
        only-short: 10 min
        updates: no
        """
            .formatted(key));
    Policy policy = Policy.find(Optional.empty(), folder, OwnerActive.NO);
    assertThat(policy.offer().cores()).isEqualTo(2);
    assertThat(policy.offer().memoryBytes()).isEqualTo(4L << 30);
    assertThat(policy.offer().gpus()).isZero();
    assertThat(policy.offer().resources())
        .containsEntry("fpga", Resource.of(2))
        .containsEntry("camera", Resource.of(List.of("left", "right")));
    assertThat(policy.limits().memoryBytes()).isEqualTo(512L << 20);
    assertThat(policy.limits().cpuSeconds()).isEqualTo(7200);
    assertThat(policy.limits().processes()).isEqualTo(200);
    assertThat(policy.limits().openFiles()).isEqualTo(1024);
    assertThat(policy.diskBytes()).isEqualTo(3L << 29);
    assertThat(policy.runMillis()).isEqualTo(5_400_000);
    assertThat(policy.network()).isEqualTo(Policy.NetworkMode.NO);
    assertThat(policy.serves()).containsExactly("ada", "bob/render", "*");
    assertThat(policy.signing().needed()).isTrue();
    assertThat(policy.signing().keys()).hasSize(1);
    assertThat(policy.sandbox()).isEqualTo(SandboxMode.ON);
    assertThat(policy.show()).containsExactly(Path.of("/data/shared"));
    assertThat(policy.hours().spans()).hasSize(2);
    assertThat(policy.neighbour())
        .isEqualTo(new Neighbour(OwnerActive.YES, 0.3, 300_000, 1L << 30, 1_200_000, 3));
    assertThat(policy.longestMillis()).isEqualTo(600_000);
    assertThat(policy.updates().wanted()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'cores: 2\n"
            + "memory: lots' | line 2: 'memory' takes a size such as 512 MB or 4 GB, not 'lots'",
        "'\ncpus: 2' | line 2: there is no setting 'cpus'; known are cores, memory",
        "'task:\n  memori: 3' | line 2: there is no setting 'memori'",
        "'cores: 0' | line 1: 'cores' takes a whole number of at least 1, not '0'",
        "'cores: [1' | line 1: not valid YAML",
        "'gpus: -1' | line 1: 'gpus' takes a whole number of at least 0, not '-1'",
        "'cores: 1.5' | line 1: 'cores' takes a whole number of at least 1, not '1.5'",
        "'resources: 2' | line 1: 'resources' expects lines such as 'fpga: 2'",
        "'resources:\n  memory: 2' | line 2: 'memory' is not a valid resource name",
        "'resources:\n  fpga: 0' | line 2: 'fpga' takes an amount such as 2, or a list",
        "'resources:\n  fpga: many' | line 2: 'fpga' takes an amount such as 2, or a list",
        "'resources:\n  camera: [left, left]' | line 2: 'camera' takes an amount such as 2, or",
        "'hours: [sat, someday]' | line 1: 'hours' takes times such as",
        "'hours: 25:00-26:00' | 'hours' takes times",
        "'signed: yes' | line 1: jobs must be signed, but 'trust' lists no key",
        "'trust: abc' | line 1: 'trust' takes public keys",
        "'sandbox: maybe' | 'sandbox' takes auto, on or off, not 'maybe'",
        "'network: perhaps' | 'network' takes yes, no, outgoing or shared, not 'perhaps'",
        "'user: root' | 'user' takes own or same, not 'root'",
        "'updates: 1.2' | 'updates' takes yes, no, or the SHA-256 of a build, not '1.2'",
        "'show: relative' | 'show' takes absolute paths",
        "'pause:\n  others-load: 3' | line 2: 'others-load' takes a share",
        "'serves: a/b/c' | 'serves' takes users",
        "'just words' | expected 'key: value' lines",
      })
  void what_makes_no_sense_is_named_with_its_line(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(PolicyException.class)
        .hasMessageContaining("policy.yaml")
        .hasMessageContaining(message);
  }

  @Test
  void who_demands_signed_jobs_gets_signed_updates_or_none() throws Exception {
    String key =
        Base64.getEncoder()
            .encodeToString(
                KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPublic().getEncoded());
    String signed = "signed: yes\ntrust: " + key + "\n";
    assertThat(parse("cores: 1").updates()).isEqualTo(UpdateTerms.FOLLOW);
    assertThat(parse(signed).updates().wanted()).isFalse();
    UpdateTerms offline = parse(signed + "release-key: " + key).updates();
    assertThat(offline.wanted()).isTrue();
    assertThat(offline.releaseKey()).isPresent();
    String build = "ab".repeat(32);
    UpdateTerms pinned = parse(signed + "updates: " + build).updates();
    assertThat(pinned.wanted()).isTrue();
    assertThat(pinned.build()).isEqualTo(build);
  }

  @ParameterizedTest
  @CsvSource({
    "mon-fri 18:00-08:00, 2026-11-16T17:59, false", // a Monday
    "mon-fri 18:00-08:00, 2026-11-16T18:00, true",
    "mon-fri 18:00-08:00, 2026-11-17T07:59, true",
    "mon-fri 18:00-08:00, 2026-11-17T08:00, false",
    "mon-fri 18:00-08:00, 2026-11-16T03:00, false", // the night before is Sunday's
    "mon-fri 18:00-08:00, 2026-11-21T07:00, true", // Friday's night
    "sat, 2026-11-21T23:59, true",
    "sat, 2026-11-22T00:00, false",
    "12:00-13:00, 2026-11-18T12:30, true",
    "12:00-13:00, 2026-11-18T13:00, false",
    "fri-mon 20:00-24:00, 2026-11-22T23:59, true",
    "fri-mon 20:00-24:00, 2026-11-18T23:59, false",
  })
  void hours_are_those_of_the_week(String span, LocalDateTime time, boolean lent) {
    assertThat(ActiveHours.parse(List.of(span)).contains(time)).isEqualTo(lent);
  }
}
