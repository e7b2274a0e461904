package dev.imker.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.server.Rest;
import dev.imker.server.TestServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation: as files that lead to each other, and as the server shows it. */
class HandbookTest {
  private static final Path ROOT = Path.of(System.getProperty("imker.root", ".."));
  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md")).forEach(files::add);
    }
    for (String other : List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "wire/README.md")) {
      files.add(ROOT.resolve(other));
    }
    return files;
  }

  @Test
  void every_link_between_files_leads_somewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path file : files()) {
      Matcher link = LINK.matcher(FENCED.matcher(Files.readString(file)).replaceAll(""));
      while (link.find()) {
        String target = link.group(1);
        if (!target.startsWith("http") && !leadsSomewhere(file, target)) {
          broken.add(ROOT.relativize(file) + ": " + target);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static boolean leadsSomewhere(Path from, String target) throws IOException {
    String[] parts = target.split("#", 2);
    Path file = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]);
    if (!Files.exists(file) || parts.length < 2) {
      return Files.exists(file);
    }
    return HEADING
        .matcher(FENCED.matcher(Files.readString(file)).replaceAll(""))
        .results()
        .map(heading -> heading.group(1).replaceAll("[`*]", ""))
        .map(heading -> heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
        .anyMatch(heading -> Handbook.anchor(heading.strip()).equals(parts[1]));
  }

  @Test
  void every_page_and_picture_is_reached_from_the_first() throws IOException {
    Handbook book = new Handbook();
    Path docs = ROOT.resolve("docs");
    for (Path file : files()) {
      if (file.startsWith(docs)) {
        String name = docs.relativize(file).toString();
        assertThat(book.page(name)).as(name).isPresent();
        String html = book.page(name).orElseThrow().html();
        Matcher picture = Pattern.compile("<img src=\"([^\"]+)\"").matcher(html);
        while (picture.find()) {
          assertThat(book.picture(picture.group(1))).as(picture.group(1)).isPresent();
        }
        assertThat(html).as(name).doesNotContain("href=\"..\"", "href=\"../../");
      }
    }
    assertThat(book.picture("../api.json")).isEmpty();
  }

  @Test
  void anybody_reads_and_searches_and_nothing_of_a_question_becomes_markup(@TempDir Path folder) {
    try (TestServer server = TestServer.start(folder)) {
      Rest nobody = server.withToken("");
      for (String start : List.of("/docs", "/docs/")) {
        String location = nobody.get(start).headers().firstValue("Location").orElseThrow();
        assertThat(URI.create(start).resolve(location)).asString().isEqualTo("/docs/README.md");
      }
      Rest.Reply page = nobody.get("/docs/jobs.md");
      assertThat(page.text()).contains("<h1 id=", "<table", "</html>").doesNotContain("<!-- ");
      assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
          .contains("default-src 'self'");
      assertThat(nobody.get("/docs/search?q=fail-over+leader").text())
          .contains("href=\"never-down.md#");
      assertThat(nobody.get("/docs/search?q=%22%3E%3Cscript%3E").text())
          .contains("&quot;&gt;&lt;script&gt;", "Nothing found")
          .doesNotContain("<script>");
      for (String name : List.of("nothing.md", "%2e%2e/api.json", "../api.json", "pictures/")) {
        assertThat(nobody.get("/docs/" + name).status()).as(name).isEqualTo(404);
      }
    }
  }
}
