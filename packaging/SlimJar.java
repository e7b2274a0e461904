import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.constant.ClassDesc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes imker.jar anew without what one archive of a release has no use for: {@code java
 * SlimJar.java IN OUT any|linux-x86_64|agent}. Always left out are native libraries of rare systems
 * and, of a few large libraries, the classes that nothing names. The same input gives the same
 * bytes.
 */
final class SlimJar {
  /** Classes of these stay only if a class that stays names them, be it in a text. */
  private static final Pattern SHRUNK =
      Pattern.compile(
          "(org[/.]bouncycastle|com[/.]google[/.]common|org[/.]apache[/.]commons"
              + "|org[/.]apache[/.]http|org[/.]apache[/.]curator[/.]shaded|io[/.]prometheus|io[/.]opentelemetry"
              + "|io[/.]micrometer"
              + "|io[/.]netty[/.]handler|org[/.]jctools|com[/.]fasterxml[/.]aalto)[/.][\\w/.$]+");

  private static final String USUAL_SYSTEMS = "(Linux|Linux-Musl|Mac|Windows)/(x86_64|aarch64)/.*";

  /** An agent compresses what it sends, whatever the system of the server that updates it. */
  private static final Pattern RARE =
      Pattern.compile(
          "(aix|darwin|freebsd|linux|win)/(?!(amd64|x86_64|aarch64)/).*|freebsd/.*"
              + "|org/sqlite/native/(?!"
              + USUAL_SYSTEMS
              + ").*"
              // Bindings to an HTTP client that nobody calls.
              + "|com/google/api/client/(testing/|googleapis/)?(http/)?apache/.*"
              + "|io/micrometer/core/instrument/binder/httpcomponents/.*"
              + "|META-INF/services/java\\.security\\.Provider|META-INF/(native-image|proguard)/.*"
              + "|.*\\.proto");

  private static final Pattern NOT_ON_LINUX =
      Pattern.compile("org/sqlite/native/(?!Linux/x86_64/).*");

  /** What only servers, and the commands that talk to them, work with. */
  private static final Pattern NOT_FOR_AGENTS =
      Pattern.compile(
          "dev/imker/(server|store|coord|core|sim|planner)/.*|org/bouncycastle/(pqc|jce|jcajce)/.*"
              + "|(org/(sqlite|postgresql|flywaydb|xerial|eclipse|checkerframework|commonmark|codehaus)"
              + "|software/amazon|tools/jackson|io/(prometheus|micrometer|grpc|opencensus|opentelemetry|dropwizard)"
              + "|com/(nimbusds|codahale|ongres|google/(api|auth|cloud|gson|common|errorprone|j2objc|thirdparty))"
              + "|org/apache/(curator|zookeeper|http|jute|yetus|commons/(logging|cli))"
              + "|jakarta|net/jcip|org/HdrHistogram|org/LatencyUtils|org/reactivestreams|io/vertx/ext"
              + "|META-INF/resources|db)/.*");

  private static final Pattern VERSION = Pattern.compile("META-INF/versions/\\d+/");
  private static final String MANIFEST = "META-INF/MANIFEST.MF";

  private final String system;
  private final Map<String, byte[]> entries = new TreeMap<>();

  /** Classes for certain versions of Java, by the name of the class. */
  private final Map<String, List<String>> variants = new HashMap<>();

  private final Set<String> kept = new HashSet<>();

  private SlimJar(String system) {
    this.system = system;
  }

  public static void main(String[] args) throws IOException {
    SlimJar jar = new SlimJar(args[2]);
    jar.read(Path.of(args[0]));
    jar.choose();
    jar.write(Path.of(args[1]));
  }

  private boolean isWanted(String name) {
    return !RARE.matcher(name).matches()
        && switch (system) {
          case "any" -> true;
          case "linux-x86_64" -> !NOT_ON_LINUX.matcher(name).matches();
          case "agent" -> !NOT_FOR_AGENTS.matcher(name).matches();
          default -> throw new IllegalArgumentException(system);
        };
  }

  private void read(Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (!entry.isDirectory() && isWanted(entry.getName())) {
          String name = entry.getName();
          entries.put(name, zip.getInputStream(entry).readAllBytes());
          if (VERSION.matcher(name).lookingAt()) {
            variants.computeIfAbsent(withoutVersion(name), key -> new ArrayList<>()).add(name);
          }
        }
      }
    }
  }

  private void choose() {
    Deque<String> unread = new ArrayDeque<>();
    for (String name : entries.keySet()) {
      if (!name.endsWith(".class") || !SHRUNK.matcher(withoutVersion(name)).lookingAt()) {
        keep(name, unread);
      }
    }
    while (!unread.isEmpty()) {
      String name = unread.remove();
      if (!name.endsWith(".class")) {
        // Services, interceptors and the like are named in texts.
        keepNamed(new String(entries.get(name), StandardCharsets.ISO_8859_1), unread);
        continue;
      }
      for (PoolEntry entry : ClassFile.of().parse(entries.get(name)).constantPool()) {
        if (entry instanceof Utf8Entry text) {
          keepNamed(text.stringValue(), unread);
        }
      }
    }
  }

  private void keepNamed(String text, Deque<String> unread) {
    Matcher named = SHRUNK.matcher(text);
    while (named.find()) {
      keep(named.group().replace('.', '/') + ".class", unread);
    }
  }

  private void keep(String name, Deque<String> unread) {
    if (entries.containsKey(name) && kept.add(name)) {
      unread.add(name);
      variants.getOrDefault(name, List.of()).forEach(variant -> keep(variant, unread));
    }
  }

  private static String withoutVersion(String name) {
    return VERSION.matcher(name).replaceFirst("");
  }

  private void write(Path file) throws IOException {
    try (ZipOutputStream zip =
        new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      zip.setLevel(Deflater.BEST_COMPRESSION);
      put(MANIFEST, zip); // has to be the first
      Set<String> folders = new HashSet<>();
      for (String name : List.copyOf(entries.keySet())) {
        if (kept.contains(name) && !name.equals(MANIFEST)) {
          if (!name.endsWith(".class")) {
            putFolders(name, folders, zip);
          }
          put(name, zip);
        }
      }
    }
  }

  /** Who looks for what lies in a folder, like migrations, asks for the folder. */
  private void putFolders(String name, Set<String> written, ZipOutputStream zip)
      throws IOException {
    for (int end = name.indexOf('/'); end >= 0; end = name.indexOf('/', end + 1)) {
      String folder = name.substring(0, end + 1);
      if (written.add(folder)) {
        entries.put(folder, new byte[0]);
        put(folder, zip);
      }
    }
  }

  private void put(String name, ZipOutputStream zip) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(LocalDateTime.of(2026, 1, 1, 0, 0));
    zip.putNextEntry(entry);
    byte[] content = entries.get(name);
    zip.write(name.endsWith(".class") ? current(content) : content);
    zip.closeEntry();
  }

  /**
   * Classes for Java 5, as those of picocli, have no stack maps: Java checks them slowly at every
   * start and never keeps them in its cache. They get some here.
   */
  private byte[] current(byte[] content) {
    ClassFile format =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(this::named)
                    .orElse(ClassHierarchyResolver.defaultResolver())),
            ClassFile.StackMapsOption.GENERATE_STACK_MAPS);
    ClassModel read = format.parse(content);
    return read.majorVersion() >= ClassFile.JAVA_6_VERSION
        ? content
        : format.transformClass(
            read,
            ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)
                .andThen(
                    (made, part) -> {
                      if (part instanceof ClassFileVersion) {
                        made.withVersion(ClassFile.JAVA_8_VERSION, 0);
                      } else {
                        made.with(part);
                      }
                    }));
  }

  private InputStream named(ClassDesc type) {
    String text = type.descriptorString(); // Lpicocli/CommandLine;
    byte[] content = entries.get(text.substring(1, text.length() - 1) + ".class");
    return content == null ? null : new ByteArrayInputStream(content);
  }
}
