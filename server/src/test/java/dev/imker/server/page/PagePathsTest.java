package dev.imker.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A proxy may put the pool below a path of another site: the page asks only below its own. */
class PagePathsTest {
  private static final Path PAGE = Path.of("src/main/resources/dev/imker/server/page");

  /** A path of the server at the start of a string, a template or an attribute. */
  private static final Pattern FROM_THE_ROOT =
      Pattern.compile("[\"'`(=]/(?:api|docs|icon|join|lib|login|logout|metrics|page)\\b|=\"/\"");

  @Test
  void the_page_names_every_path_of_the_server_relatively() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(PAGE)) {
      files = all.filter(file -> file.toString().matches(".*\\.(js|html|css)")).toList();
    }
    assertThat(files).hasSizeGreaterThan(50);
    for (Path file : files) {
      int number = 0;
      for (String line : Files.readAllLines(file)) {
        number++;
        assertThat(FROM_THE_ROOT.matcher(line).find())
            .as("%s:%d: write \"api/v1/…\" instead of \"/api/v1/…\": %s", file, number, line)
            .isFalse();
      }
    }
  }
}
