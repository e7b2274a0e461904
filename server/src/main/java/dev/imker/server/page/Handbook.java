package dev.imker.server.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BulletList;
import org.commonmark.node.Document;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;
import org.jspecify.annotations.Nullable;

/**
 * The documentation of this build: the Markdown files that its first one leads to, under their own
 * names, so that links between them work as they stand. Links to what is not in the build lose
 * their address.
 */
final class Handbook {
  static final String START = "README.md";
  private static final int MAX_HITS = 30;
  private static final int EXCERPT = 160;
  private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{N} _-]");
  private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

  private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
  private final HtmlRenderer html =
      HtmlRenderer.builder()
          .extensions(EXTENSIONS)
          .escapeHtml(true)
          .sanitizeUrls(true)
          .attributeProviderFactory(_ -> Handbook::anchor)
          .build();
  private final TextContentRenderer text =
      TextContentRenderer.builder().extensions(EXTENSIONS).build();
  private final Map<String, Page> pages = new LinkedHashMap<>();
  private final Set<String> pictures = new LinkedHashSet<>();

  /** A page as it is shown. */
  record Page(String title, String html, List<Section> sections) {}

  /** A heading and what follows it, up to the next. */
  private record Section(String page, String heading, String anchor, String text) {}

  private record Hit(Section section, int score, int at) {}

  Handbook() {
    Deque<String> open = new ArrayDeque<>(List.of(START));
    while (!open.isEmpty()) {
      String name = open.remove();
      if (pages.containsKey(name)) {
        continue;
      }
      Node document = parser.parse(new String(bytes(name).orElseThrow(), StandardCharsets.UTF_8));
      document.accept(new Links(name, open));
      List<Section> sections = sections(name, document);
      String title = sections.isEmpty() ? name : sections.getFirst().heading;
      pages.put(name, new Page(title, html.render(document), sections));
    }
  }

  Optional<Page> page(String name) {
    return Optional.ofNullable(pages.get(name));
  }

  Optional<byte[]> picture(String name) {
    return pictures.contains(name) ? bytes(name) : Optional.empty();
  }

  /** Sections that have all words, those with words in their headings first. */
  Page search(String query) {
    List<String> words =
        Arrays.stream(query.toLowerCase(Locale.ROOT).split("\\s+"))
            .filter(word -> !word.isEmpty())
            .toList();
    List<Hit> hits = new ArrayList<>();
    if (!words.isEmpty()) {
      pages.values().stream()
          .flatMap(page -> page.sections.stream())
          .filter(section -> !section.page.equals(START)) // it only names the others
          .forEach(section -> hit(section, words).ifPresent(hits::add));
    }
    hits.sort(Comparator.comparingInt(Hit::score).reversed());
    Node result = new Document();
    Heading heading = new Heading();
    heading.setLevel(1);
    heading.appendChild(new Text(hits.isEmpty() ? "Nothing found" : "Found"));
    result.appendChild(heading);
    BulletList list = new BulletList();
    hits.stream().limit(MAX_HITS).forEach(hit -> list.appendChild(item(hit)));
    result.appendChild(list);
    return new Page("Search", html.render(result), List.of());
  }

  private static Optional<Hit> hit(Section section, List<String> words) {
    String heading = section.heading.toLowerCase(Locale.ROOT);
    String text = section.text.toLowerCase(Locale.ROOT);
    int score = 0;
    int first = Integer.MAX_VALUE;
    for (String word : words) {
      int at = text.indexOf(word);
      boolean inHeading = heading.contains(word);
      if (at < 0 && !inHeading) {
        return Optional.empty();
      }
      first = at < 0 ? first : Math.min(first, at);
      score += (inHeading ? 10 : 0) + (at < 0 ? 0 : 1);
    }
    return Optional.of(new Hit(section, score, first == Integer.MAX_VALUE ? 0 : first));
  }

  private Node item(Hit hit) {
    Section section = hit.section;
    Link link = new Link(section.page + "#" + section.anchor, null);
    String page = Objects.requireNonNull(pages.get(section.page)).title;
    link.appendChild(
        new Text(page.equals(section.heading) ? page : page + " › " + section.heading));
    int from = Math.max(0, hit.at - EXCERPT / 2);
    int to = Math.min(section.text.length(), from + EXCERPT);
    Paragraph paragraph = new Paragraph();
    paragraph.appendChild(link);
    paragraph.appendChild(new Text(" … " + section.text.substring(from, to) + " …"));
    Node item = new ListItem();
    item.appendChild(paragraph);
    return item;
  }

  // ---------------------------------------------------------------- reading

  private static Optional<byte[]> bytes(String name) {
    try (InputStream in = Handbook.class.getResourceAsStream("/dev/imker/server/docs/" + name)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Section> sections(String name, Node document) {
    List<Section> sections = new ArrayList<>();
    StringBuilder body = new StringBuilder();
    @Nullable Heading heading = null;
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading next) {
        if (heading != null) {
          sections.add(section(name, heading, body.toString()));
        }
        heading = next;
        body.setLength(0);
      } else {
        body.append(text.render(node)).append(' ');
      }
    }
    if (heading != null) {
      sections.add(section(name, heading, body.toString()));
    }
    return sections;
  }

  private Section section(String name, Heading heading, String body) {
    String title = text.render(heading).strip();
    return new Section(name, title, anchor(title), body.replaceAll("\\s+", " ").strip());
  }

  /** As the forges of this world make it of a heading. */
  static String anchor(String heading) {
    String plain = NOT_IN_ANCHORS.matcher(heading.toLowerCase(Locale.ROOT)).replaceAll("");
    return plain.replace(' ', '-');
  }

  private static void anchor(Node node, String tag, Map<String, String> attributes) {
    if (node instanceof Heading) {
      attributes.put(
          "id",
          anchor(
              TextContentRenderer.builder().extensions(EXTENSIONS).build().render(node).strip()));
    }
    if (tag.equals("table") || tag.equals("pre")) {
      attributes.put("tabindex", "0"); // wide ones are scrolled by keys, too
    }
  }

  /** Finds what a page leads to, and takes away what leads out of the build. */
  private final class Links extends AbstractVisitor {
    private final URI here;
    private final Deque<String> open;

    Links(String name, Deque<String> open) {
      this.here = URI.create("/docs/" + name);
      this.open = open;
    }

    @Override
    public void visit(Link link) {
      String target = target(link.getDestination());
      if (target.endsWith(".md") && bytes(target).isPresent()) {
        open.add(target);
      } else if (!link.getDestination().startsWith("#")
          && !link.getDestination().startsWith("http")) {
        String words =
            text.render(link).lines().collect(Collectors.joining(" ")).replaceAll("\\s*\\(.*", "");
        link.insertBefore(new Text(words));
        link.unlink();
        return;
      }
      visitChildren(link);
    }

    @Override
    public void visit(Image image) {
      pictures.add(target(image.getDestination()));
      visitChildren(image);
    }

    /** Its name among the files of the documentation, or something that is none. */
    private String target(String destination) {
      if (destination.startsWith("http") || destination.startsWith("#")) {
        return "";
      }
      String path = here.resolve(destination).normalize().getPath();
      return path.startsWith("/docs/") ? path.substring("/docs/".length()) : "";
    }
  }
}
