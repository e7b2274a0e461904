package dev.imker.server.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * The files of the page: those that the first ones lead to by their imports, and no others. All
 * files of a build are addressed under one name that changes with any of them, so that browsers may
 * keep them for ever; modules name each other relatively and need not know it.
 */
final class PageFiles {
  static final String START = "index.html";
  private static final String ICON = "icon.svg";
  private static final Pattern REFERENCE = Pattern.compile("\"((?:<!-- root -->)?)page/([^\"]+)\"");

  /** Libraries name each other in ways that browsers cannot resolve. */
  private static final Map<String, String> LIBRARIES =
      Map.of(
          "@lit/reactive-element", "lib/reactive-element/reactive-element.js",
          "lit-html", "lib/lit-html/lit-html.js");

  private static final Pattern IMPORT =
      Pattern.compile("(\\bfrom\\s*|\\bimport\\s*)\"([^\"\\s]+)\"|\\bimport\\(\\s*\"([^\"\\s]+)\"");
  private static final Pattern BARE =
      Pattern.compile("((?:\\bfrom|\\bimport)\\s*)\"(?!\\.{0,2}/)([^\"\\s]+)\"");

  private final Map<String, PageFile> files = new LinkedHashMap<>();
  private final TreeSet<String> atStart = new TreeSet<>();
  private final String version;

  private PageFiles() {
    add(ICON);
    add("docs.css");
    add("components/notify-worker.js");
    Deque<String> modules = new ArrayDeque<>();
    for (MatchResult match : REFERENCE.matcher(read(START)).results().toList()) {
      if (match.group(2).endsWith(".js")) {
        modules.add(match.group(2));
      } else {
        add(match.group(2));
      }
    }
    crawl(modules);
    CRC32C sum = new CRC32C();
    files.values().forEach(file -> sum.update(file.tag().getBytes(StandardCharsets.UTF_8)));
    version = "%08x".formatted(sum.getValue());
  }

  static PageFiles load() {
    return new PageFiles();
  }

  /** Changes with every change of a file. */
  String version() {
    return version;
  }

  Optional<PageFile> find(String name) {
    return Optional.ofNullable(files.get(name));
  }

  /** A document with the addresses of this build filled in, seen from the root of the server. */
  PageFile document(String name) {
    String preloads =
        atStart.stream()
            .map(file -> "  <link rel=\"modulepreload\" href=\"" + address(file) + "\">")
            .collect(Collectors.joining("\n"));
    String text =
        REFERENCE
            .matcher(read(name))
            .replaceAll("\"$1" + address("$2") + "\"")
            .replace("<!-- modules -->", preloads.strip());
    return PageFile.of(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private String address(String file) {
    return "page/" + version + "/" + file;
  }

  // ---------------------------------------------------------------- reading

  /** Modules imported by a statement are needed at the start, those by a call later. */
  private void crawl(Deque<String> open) {
    Deque<String> later = new ArrayDeque<>();
    boolean starting = true;
    while (!open.isEmpty() || !later.isEmpty()) {
      starting &= !open.isEmpty();
      String name = open.isEmpty() ? later.remove() : open.remove();
      if (files.containsKey(name)) {
        continue;
      }
      if (starting) {
        atStart.add(name);
      }
      for (MatchResult match : IMPORT.matcher(add(name).text()).results().toList()) {
        boolean called = match.group(3) != null;
        String target = called ? match.group(3) : match.group(2);
        (called ? later : open).add(resolve(name, target));
      }
    }
  }

  private PageFile add(String name) {
    String text = name.endsWith(".js") ? resolvable(name, read(name)) : read(name);
    PageFile file = PageFile.of(name, text.getBytes(StandardCharsets.UTF_8));
    files.put(name, file);
    return file;
  }

  private static String resolve(String from, String target) {
    String folder = from.contains("/") ? from.substring(0, from.lastIndexOf('/') + 1) : "";
    return java.net.URI.create("/" + folder).resolve(target).normalize().getPath().substring(1);
  }

  /** A module in which every import is a relative path. */
  private static String resolvable(String name, String text) {
    Matcher bare = BARE.matcher(text);
    return bare.replaceAll(
        match -> {
          String library =
              Objects.requireNonNull(
                  LIBRARIES.get(match.group(2)), name + " imports unknown " + match.group(2));
          String up = "../".repeat((int) name.chars().filter(c -> c == '/').count());
          return Matcher.quoteReplacement(match.group(1) + "\"" + up + library + "\"");
        });
  }

  private static String read(String name) {
    try (InputStream content = PageFiles.class.getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(content, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
