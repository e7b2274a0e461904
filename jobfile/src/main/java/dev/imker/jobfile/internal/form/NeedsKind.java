package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Hints;
import dev.imker.jobfile.findings.Spot;
import dev.imker.model.InputException;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What tasks ask of a machine: a mapping, alternatives under any-of, or a platform expression. */
final class NeedsKind implements Kind<Requirements> {
  private static final String VERSION = "(>=|>|<=|<|=)? ?[0-9][0-9A-Za-z._+-]*";
  private static final String VERSIONS = "^(\\*|%s([ ,]+%s)*)$".formatted(VERSION, VERSION);
  private static final List<String> SYSTEMS = List.of("linux", "windows", "macos");
  private static final Map<String, String> OTHER_NAMES =
      Map.of("amd64", "x86_64", "x64", "x86_64", "arm64", "aarch64");
  private static final int MAX_CORES = 100_000;

  private static final Field<List<String>> OS =
      new Field<>(
          "os",
          Kinds.oneOrMore(system()),
          "Operating system: linux, windows, macos; a list means any of them.");
  private static final Field<List<String>> ARCH =
      new Field<>(
          "arch",
          Kinds.oneOrMore(Kinds.map(Kinds.text(), NeedsKind::arch)),
          "Processor: x86_64, aarch64; a list means any of them.");
  private static final Field<Map<String, String>> RUNTIMES =
      new Field<>(
          "runtimes",
          runtimes(),
          "Programs with version ranges: {java: '>=21', python: '>=3.10 <4'}; [java, python] for"
              + " any version.");
  private static final Field<Long> MEMORY =
      new Field<>("memory", Kinds.size(), "Memory of the machine at least.");
  private static final Field<Integer> CORES =
      new Field<>("cores", Kinds.whole(0, MAX_CORES), "Processor cores at least.");
  private static final Field<Integer> GPUS =
      new Field<>("gpus", Kinds.whole(0, 1000), "GPUs at least.");
  private static final Field<Long> DISK =
      new Field<>("disk", Kinds.size(), "Free disk space at least.");
  private static final Field<Long> DOWNLOAD =
      new Field<>(
          "download",
          Kinds.size(),
          "A connection to the server that is fast enough for inputs of this size; slow ones are"
              + " for 20, 5 or 1 MB.");
  private static final Field<List<String>> LABELS =
      new Field<>(
          "labels",
          Kinds.oneOrMore(Kinds.text()),
          "Labels that the machine must carry, all of them.");
  private static final Form ONE =
      new Form(
          "what a machine must have",
          List.of(OS, ARCH, RUNTIMES, MEMORY, CORES, GPUS, DISK, DOWNLOAD, LABELS),
          Set.of(),
          Map.of(
              "cpus", "Write cores.",
              "cpu", "Write cores.",
              "ram", "Write memory.",
              "mem", "Write memory.",
              "gpu", "Write gpus.",
              "programs", "Write runtimes."));
  private static final Field<List<Filled>> ANY_OF =
      new Field<>("any-of", Kinds.listOf(ONE), "Alternatives, one of which must be met.");
  private static final Form ALTERNATIVES =
      new Form("alternatives", List.of(ANY_OF), Set.of("any-of"));
  private static final Kind<Requirements> EXPRESSION =
      Kinds.of(NeedsKind::expression, Map.of("type", "string"));

  private static Kind<String> system() {
    return Kinds.of(
        (tree, spot, findings) -> {
          String text = Kinds.text().read(tree, spot.field(), findings);
          String os = text == null ? null : text.toLowerCase(Locale.ROOT);
          if (os != null && !SYSTEMS.contains(os)) {
            findings.warning(
                spot, "No machine may call its system '" + text + "'.", Hints.suggest(os, SYSTEMS));
          }
          return os;
        },
        Map.of("type", "string", "examples", SYSTEMS));
  }

  private static String arch(String text) {
    String arch = text.toLowerCase(Locale.ROOT);
    return OTHER_NAMES.getOrDefault(arch, arch);
  }

  private static Kind<Map<String, String>> runtimes() {
    Kind<String> range =
        Kinds.of(
            (tree, spot, findings) -> {
              String text = Kinds.text().read(tree, spot.field(), findings);
              if (text != null && !text.matches(VERSIONS)) {
                findings.error(
                    spot,
                    "'" + Hints.shorten(text) + "' is not a range of versions.",
                    "Write '>=3.10 <4', '21' or '*'.");
                return null;
              }
              return text == null || text.equals("*") ? (text == null ? null : "") : text;
            },
            Map.of("type", List.of("string", "number"), "pattern", VERSIONS));
    Kind<Map<String, String>> ranges =
        Kinds.mapOf(range, "[A-Za-z][A-Za-z0-9._+-]*", "Write it as java, python, r, ...");
    Kind<Map<String, String>> names =
        Kinds.map(
            Kinds.oneOrMore(Kinds.text()),
            list -> {
              Map<String, String> any = new LinkedHashMap<>();
              list.forEach(name -> any.put(name, ""));
              return any;
            });
    return Kinds.of(
        (tree, spot, findings) ->
            (tree instanceof Tree.Entries ? ranges : names).read(tree, spot.field(), findings),
        Map.of("anyOf", List.of(ranges.schema(), names.schema())));
  }

  private static @Nullable Requirements expression(Tree tree, Spot spot, Findings findings) {
    String text = Kinds.text().read(tree, spot.field(), findings);
    if (text == null) {
      return null;
    }
    try {
      return PlatformExpression.parse(text);
    } catch (InputException e) {
      findings.error(
          spot,
          String.valueOf(e.getMessage()),
          "Or write needs as a mapping: {os: linux, memory: 2 GB}.");
      return null;
    }
  }

  @Override
  public @Nullable Requirements read(Tree tree, String field, Findings findings) {
    if (tree instanceof Tree.Text) {
      return EXPRESSION.read(tree, field, findings);
    }
    if (tree instanceof Tree.Entries entries && entries.has(ANY_OF.name())) {
      Filled given = ALTERNATIVES.read(tree, field, findings);
      List<Need> needs = new ArrayList<>();
      if (given != null) {
        given.get(ANY_OF, List.of()).forEach(one -> needs.add(need(one)));
      }
      return new Requirements(needs);
    }
    Filled one = ONE.read(tree, field, findings);
    return one == null ? null : new Requirements(List.of(need(one)));
  }

  private static Need need(Filled one) {
    return new Need(
        new LinkedHashSet<>(one.get(OS, List.of())),
        new LinkedHashSet<>(one.get(ARCH, List.of())),
        one.get(CORES, 0),
        one.get(GPUS, 0),
        one.get(MEMORY, 0L),
        one.get(DISK, 0L),
        new LinkedHashSet<>(one.get(LABELS, List.of())),
        one.get(RUNTIMES, Map.of()),
        one.get(DOWNLOAD, 0L));
  }

  @Override
  public Map<String, Object> schema() {
    return Map.of("anyOf", List.of(ONE.schema(), ALTERNATIVES.schema(), EXPRESSION.schema()));
  }
}
