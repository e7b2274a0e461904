package dev.imker.agent.internal.neighbour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
    typedIn(Files.createFile(windows.resolve("3")), 100_000);
    Files.createFile(windows.resolve("ptmx"));
    assertThat(activity.idleMillis()).isCloseTo(100_000, within(20_000L));
  }

  private static void typedIn(Path device, long agoMillis) throws Exception {
    FileTime time = FileTime.fromMillis(System.currentTimeMillis() - agoMillis);
    Files.getFileAttributeView(device, BasicFileAttributeView.class).setTimes(null, time, null);
  }

  @Test
  void systems_tell_idle_times_in_their_own_ways() {
    assertThat(IdleTimes.ofIoreg("| \"HIDIdleTime\" = 5000000000\n")).isEqualTo(5_000);
    assertThat(IdleTimes.ofIoreg("")).isEqualTo(Long.MAX_VALUE);
    assertThat(IdleTimes.ofXprintidle("1234\n")).isEqualTo(1234);
    assertThat(IdleTimes.ofXprintidle("couldn't open display")).isEqualTo(Long.MAX_VALUE);
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
    assertThat(SessionActivity.isInUse("Type=wayland\nState=active\nIdleHint=no\n")).isTrue();
    assertThat(SessionActivity.isInUse("Type=wayland\nState=active\nIdleHint=yes\n")).isFalse();
    assertThat(SessionActivity.isInUse("Type=tty\nState=active\nIdleHint=no\n")).isFalse();
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
