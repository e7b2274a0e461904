package dev.imker.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.Attack;
import java.util.List;
import org.junit.jupiter.api.Test;

class SafeTextTest {
  @Test
  @Attack("send escape sequences to a terminal")
  void orders_to_a_terminal_are_shown_and_not_obeyed() {
    assertThat(SafeText.line("\u001b[2Jowned\u009b31m")).isEqualTo("\\u001b[2Jowned\\u009b31m");
    assertThat(SafeText.line("a\u202eb\u200bc")).isEqualTo("a\\u202eb\\u200bc");
    assertThat(SafeText.line("two\nlines\r\n")).isEqualTo("two lines  ");
    assertThat(SafeText.lines("two\n\tlines\r\n")).isEqualTo("two\n\tlines\n");
    assertThat(SafeText.line("Bienenstöcke 蜂")).isEqualTo("Bienenstöcke 蜂");
    assertThat(SafeText.line("\ud800")).isEqualTo("\\ud800");
  }

  @Test
  @Attack("name a file so that it means something else on another system")
  void file_names_are_plain_on_every_system() {
    assertThat(SafeText.fileName("../../etc/passwd")).isEqualTo("__.._etc_passwd");
    assertThat(SafeText.fileName("con.txt")).isEqualTo("_con.txt");
    assertThat(SafeText.fileName("")).isEqualTo("_");
    assertThat(SafeText.attachment("a\"\r\nSet-Cookie: x"))
        .doesNotContain("\r", "\n")
        .startsWith("attachment; filename=\"a___Set-Cookie__x\"");
  }

  @Test
  @Attack("leave a folder through a path in an archive")
  void paths_never_lead_out_of_their_folder() {
    for (String path :
        List.of(
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a//b",
            "./a",
            "a/.",
            "C:\\x",
            "C:x",
            "a\\b",
            "a\u0000b",
            "a\nb",
            "x".repeat(2000),
            "a/".repeat(100) + "b",
            "x".repeat(300))) {
      assertThat(SafePath.isSafe(path)).as(path).isFalse();
    }
    for (String path : List.of("a", "sub dir/r.txt", ".hidden", "a/b/c", "..a", "ä/ö")) {
      assertThat(SafePath.isSafe(path)).as(path).isTrue();
    }
  }
}
