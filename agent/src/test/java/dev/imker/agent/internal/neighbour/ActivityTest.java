package dev.imker.agent.internal.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ActivityTest {
  @TempDir Path devices;

  @Test
  void terminals_tell_when_they_were_typed_in() throws Exception {
    TerminalActivity activity = new TerminalActivity(devices);
    assertThat(activity.idleMillis()).isEqualTo(Long.MAX_VALUE);
    typedIn(Files.createFile(devices.resolve("tty1")), 500_000);
    Files.createFile(devices.resolve("tty")); // the devices without a number are aliases
    Path windows = Files.createDirectory(devices.resolve("pts"));
    typedIn(Files.createFile(windows.resolve("3")), 900_000);
    Files.createFile(windows.resolve("ptmx"));
    assertThat(activity.idleMillis(1_000_000)).isEqualTo(92_000);
  }

  @Test
  void whoever_typed_less_than_eight_seconds_ago_may_be_typing_still() throws Exception {
    TerminalActivity activity = new TerminalActivity(devices);
    typedIn(Files.createFile(devices.resolve("tty1")), 900_000);
    assertThat(activity.idleMillis(907_999)).isZero();
    assertThat(activity.idleMillis(920_000)).isEqualTo(12_000);
  }

  private static void typedIn(Path device, long millis) throws Exception {
    Files.getFileAttributeView(device, BasicFileAttributeView.class)
        .setTimes(null, FileTime.fromMillis(millis), null);
  }

  @Test
  void systems_tell_idle_times_in_their_own_ways() {
    assertThat(IdleTimes.ofIoreg("| \"HIDIdleTime\" = 5000000000\n")).isEqualTo(5_000);
    assertThat(IdleTimes.ofIoreg("")).isEqualTo(Long.MAX_VALUE);
    String header = " USERNAME    SESSIONNAME   ID  STATE   IDLE TIME  LOGON TIME\n";
    assertThat(IdleTimes.ofQuser(header + ">ada  console  1  Active  none  1/2/2026 8:00 AM\n"))
        .isZero();
    assertThat(
            IdleTimes.ofQuser(
                header
                    + " ada  console  1  Active  1:05  1/2/2026 8:00 AM\n"
                    + " bob            2  Disc  2+03:10  1/2/2026 8:00 AM\n"))
        .isEqualTo(65 * 60_000);
    assertThat(IdleTimes.ofQuser("No User exists for *")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void only_graphical_sessions_in_use_count() {
    String wayland = "Type=wayland\nState=active\nIdleHint=no\n";
    assertThat(SessionActivity.isInUse(wayland)).isTrue();
    assertThat(SessionActivity.isInUse(wayland.replace("=no", "=yes"))).isFalse();
    assertThat(SessionActivity.isSeenHereOnly(wayland, false, false)).isTrue();
    String tty = wayland.replace("wayland", "tty");
    assertThat(SessionActivity.isSeenHereOnly(tty, false, false)).isFalse();
  }

  @Test
  void of_a_session_its_display_knows_more() {
    String x11 = "Type=x11\nState=active\nIdleHint=no\n";
    assertThat(SessionActivity.isSeenHereOnly(x11, false, true)).isTrue();
    assertThat(SessionActivity.isSeenHereOnly(x11, true, false)).isFalse();
    String wayland = x11.replace("x11", "wayland");
    assertThat(SessionActivity.isSeenHereOnly(wayland, true, false)).isTrue();
    assertThat(SessionActivity.isSeenHereOnly(wayland, false, true)).isFalse();
  }

  @Test
  void the_load_of_others_is_all_load_less_our_own() {
    CpuUse use = new CpuUse();
    assertThat(use.step(CpuUse.parse("cpu 100 0 0 100 0 0 0 0 0 0"), 50)).isZero();
    // 100 ticks on: 60 busy, 20 of them ours.
    assertThat(use.step(CpuUse.parse("cpu 150 10 0 140 0 0 0 0 0 0"), 70)).isEqualTo(0.4);
    assertThat(use.step(CpuUse.parse("cpu 150 110 0 140 0 0 0 0 0 0"), 170)).isZero();
  }
}
