package dev.imker.agent.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.agent.internal.process.CorePinning.Place;
import dev.imker.testbase.Attack;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // fields are set before each test
class CorePinningTest {
  @TempDir Path folder;
  private FileChannel locks;

  @BeforeEach
  void openLocks() throws IOException {
    locks = CorePinning.open(List.of(folder.resolve("locks")));
  }

  private static BitSet cores(int... numbers) {
    BitSet cores = new BitSet();
    for (int number : numbers) {
      cores.set(number);
    }
    return cores;
  }

  private CorePinning pinning(int offered, int... machine) {
    return new CorePinning(cores(machine), () -> offered, locks);
  }

  @Test
  void whole_amounts_have_cores_of_their_own() {
    CorePinning pinning = pinning(4, 0, 1, 2, 3);
    Place one = pinning.take(100);
    Place two = pinning.take(200);
    Place last = pinning.take(100);
    BitSet all = pinning.cores(one);
    all.or(pinning.cores(two));
    all.or(pinning.cores(last));
    assertThat(all).isEqualTo(cores(0, 1, 2, 3));
    assertThat(pinning.take(100)).isEqualTo(Place.ANYWHERE);
    pinning.giveBack(two);
    assertThat(pinning.take(200)).isEqualTo(two);
  }

  @Test
  void one_that_is_wanted_and_free_is_taken_first() {
    CorePinning pinning = pinning(3, 0, 1, 2, 3);
    assertThat(pinning.cores(pinning.take(100, 2))).isEqualTo(cores(2));
    assertThat(pinning.cores(pinning.take(200, 2))).isEqualTo(cores(1, 3));
    assertThat(pinning(2, 0, 1, 2).cores(pinning.take(100, 0))).isEqualTo(cores(1, 2));
  }

  @Test
  void parts_share_one_and_leave_the_others_whole() {
    CorePinning pinning = pinning(2, 0, 1);
    Place quarter = pinning.take(25);
    Place half = pinning.take(50);
    assertThat(pinning.cores(half)).isEqualTo(pinning.cores(quarter)).isEqualTo(cores(1));
    assertThat(pinning.cores(pinning.take(50))).isEqualTo(cores(0)); // no room beside the others
    assertThat(pinning.take(100)).isEqualTo(Place.ANYWHERE);
    pinning.giveBack(quarter);
    pinning.giveBack(half);
    assertThat(pinning.cores(pinning.take(100))).isEqualTo(cores(1));
  }

  @Test
  void more_than_one_and_a_part_has_both() {
    CorePinning pinning = pinning(3, 0, 1, 2);
    Place place = pinning.take(150);
    assertThat(pinning.cores(place)).isEqualTo(cores(1, 2));
    assertThat(pinning.cores(pinning.take(50))).isEqualTo(cores(1));
    assertThat(pinning.take(250)).isEqualTo(Place.ANYWHERE);
    assertThat(pinning.cores(pinning.take(100))).isEqualTo(cores(0)); // nothing of it was kept
  }

  @Test
  void only_the_last_ones_are_used_where_fewer_are_offered() {
    CorePinning pinning = pinning(2, 1, 3, 5);
    assertThat(pinning.offered()).isEqualTo(cores(3, 5));
    assertThat(pinning.cores(Place.ANYWHERE)).isEqualTo(cores(3, 5));
    assertThat(pinning.cores(pinning.take(200))).isEqualTo(cores(3, 5));
  }

  @Test
  void nobody_is_kept_to_cores_where_more_are_offered_than_there_are() {
    CorePinning pinning = pinning(8, 0, 1);
    assertThat(pinning.take(100)).isEqualTo(Place.ANYWHERE);
    assertThat(pinning.cores(Place.ANYWHERE)).isEqualTo(cores());
    assertThat(pinning(2, 0, 1).offered()).isEqualTo(cores());
  }

  @Test
  void agents_of_one_machine_do_not_take_the_same_cores() {
    CorePinning first = pinning(2, 0, 1);
    CorePinning second = pinning(2, 0, 1);
    Place one = first.take(100);
    assertThat(second.cores(second.take(100))).isEqualTo(cores(0));
    assertThat(second.take(100)).isEqualTo(Place.ANYWHERE);
    first.giveBack(one);
    assertThat(second.cores(second.take(100))).isEqualTo(cores(1));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  @Attack("lock the cores of another user's agent, or replace its lock file with another file")
  void only_a_folder_that_is_the_users_own_holds_the_locks() throws IOException {
    Path entered = Files.createDirectory(folder.resolve("entered"));
    Files.setPosixFilePermissions(entered, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), elsewhere);
    Path own = folder.resolve("own");
    CorePinning.open(List.of(entered, link, own)).close();
    assertThat(entered).isEmptyDirectory();
    assertThat(elsewhere).isEmptyDirectory();
    assertThat(own.resolve("locks")).exists();
    assertThat(Files.getPosixFilePermissions(own))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThatThrownBy(() -> CorePinning.open(List.of(entered, link)))
        .hasMessageContaining(entered + ", " + link);
  }
}
