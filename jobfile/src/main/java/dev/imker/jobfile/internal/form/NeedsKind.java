package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Hints;
import dev.imker.jobfile.findings.Spot;
import dev.imker.model.InputException;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import dev.imker.model.validation.JobLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What tasks need from a machine: a mapping, alternatives under any-of, or a platform expression.
 */
public final class NeedsKind implements Kind<Requirements> {
  private static final String VERSION = "(>=|>|<=|<|=)? ?[0-9][0-9A-Za-z._+-]*";
  private static final String VERSIONS = "^(\\*|%s([ ,]+%s)*)$".formatted(VERSION, VERSION);
  private static final List<String> SYSTEMS = List.of("linux", "windows", "macos");
  private static final Map<String, String> OTHER_NAMES =
      Map.of("amd64", "x86_64", "x64", "x86_64", "arm64", "aarch64");

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
  private static final Field<Amount> MEMORY =
      new Field<>(
          "memory",
          Amount.size("auto"),
          "Memory per task: 8 GB, or auto for as much as the project's tasks have needed"
              + " so far; 2 GB * attempt gives the second attempt twice as much.");
  private static final Field<Amount> CORES =
      new Field<>(
          "cores",
          Amount.number(1, JobLimits.MAX_CORES, "all"),
          "Cores per task: 4, 0.25, or all of the machine; 1 by default.");
  private static final Field<Amount> GPUS =
      new Field<>(
          "gpus",
          Amount.number(0, JobLimits.MAX_GPUS, ""),
          "GPUs per task: a whole number, or a fraction such as 0.5.");
  private static final Field<Amount> DISK =
      new Field<>("disk", Amount.size(""), "Disk space per task.");
  private static final Field<Map<String, Amount>> RESOURCES =
      new Field<>(
          "resources",
          Kinds.mapOf(
              Amount.number(1, JobLimits.MAX_AMOUNT, ""),
              Requirements.RESOURCE_NAME_PATTERN,
              "Names have letters, digits, -, _ and ., and start with a letter."),
          "Amounts of resources declared by machines or the pool: {fpga: 1,"
              + " matlab-licences: 2}.");
  private static final Field<Long> DOWNLOAD =
      new Field<>(
          "download",
          Kinds.size(),
          "Require a connection to the server that is fast enough for inputs of this"
              + " size; slow connections handle 20, 5 or 1 MB.");
  private static final Field<List<String>> LABELS =
      new Field<>(
          "labels",
          Kinds.oneOrMore(Kinds.text()),
          "Labels that the machine must have, all of them.");
  private static final Form ONE =
      new Form(
          List.of(OS, ARCH, RUNTIMES, MEMORY, CORES, GPUS, DISK, RESOURCES, DOWNLOAD, LABELS),
          Set.of(),
          Map.of(
              "cpus", "Did you mean cores?",
              "cpu", "Did you mean cores?",
              "ram", "Did you mean memory?",
              "mem", "Did you mean memory?",
              "gpu", "Did you mean gpus?",
              "programs", "Did you mean runtimes?"),
          "Resources declared by a machine or the pool go under resources: {%s: 1}.");
  private static final Field<List<Filled>> ANY_OF =
      new Field<>(
          "any-of",
          Kinds.listOf(ONE),
          "Alternatives in order of preference; they may ask for different amounts.");
  private static final Form ALTERNATIVES = new Form(List.of(ANY_OF), Set.of("any-of"));
  private static final Kind<Requirements> EXPRESSION =
      Kinds.of(NeedsKind::expression, Map.of("type", "string"));

  private static Kind<String> system() {
    return Kinds.of(
        (tree, spot, findings) -> {
          String text = Kinds.text().read(tree, spot.field(), findings);
          String os = text == null ? null : text.toLowerCase(Locale.ROOT);
          if (os != null && !SYSTEMS.contains(os)) {
            findings.warning(
                spot,
                "No machine can report the system '" + text + "'.",
                Hints.suggest(os, SYSTEMS));
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
    Set<String> byAttempt = new HashSet<>();
    Amount cores = amount(one, CORES, byAttempt);
    Amount gpus = amount(one, GPUS, byAttempt);
    Amount memory = amount(one, MEMORY, byAttempt);
    Amount disk = amount(one, DISK, byAttempt);
    Map<String, Double> resources = new HashMap<>();
    one.get(RESOURCES, Map.of())
        .forEach(
            (name, amount) -> {
              resources.put(name, amount.inUnits());
              if (amount.byAttempt()) {
                byAttempt.add(name);
              }
            });
    return new Need(
        new LinkedHashSet<>(one.get(OS, List.of())),
        new LinkedHashSet<>(one.get(ARCH, List.of())),
        cores.inUnits(),
        gpus.inUnits(),
        memory.count(),
        disk.count(),
        new LinkedHashSet<>(one.get(LABELS, List.of())),
        one.get(RUNTIMES, Map.of()),
        one.get(DOWNLOAD, 0L),
        cores.isWord(),
        resources,
        memory.isWord(),
        byAttempt);
  }

  private static Amount amount(Filled one, Field<Amount> field, Set<String> byAttempt) {
    Amount amount = one.get(field, Amount.NONE);
    if (amount.byAttempt()) {
      byAttempt.add(field.name());
    }
    return amount;
  }

  // ---------------------------------------------------------------- writing

  /** The representation of an alternative in a file. */
  public static Map<String, Object> written(Need need) {
    Map<String, Object> file = new LinkedHashMap<>();
    putAll(file, OS, need.os());
    putAll(file, ARCH, need.arch());
    if (!need.runtimes().isEmpty()) {
      Map<String, String> runtimes = new TreeMap<>();
      need.runtimes().forEach((name, range) -> runtimes.put(name, range.isEmpty() ? "*" : range));
      file.put(RUNTIMES.name(), runtimes);
    }
    putSize(file, MEMORY, need.memoryBytes(), need);
    if (need.autoMemory()) {
      file.put(MEMORY.name(), "auto");
    }
    putAmount(file, CORES.name(), need.cores(), need);
    if (need.wholeMachine()) {
      file.put(CORES.name(), "all");
    }
    putAmount(file, GPUS.name(), need.gpus(), need);
    putSize(file, DISK, need.diskBytes(), need);
    if (!need.resources().isEmpty()) {
      Map<String, Object> resources = new TreeMap<>();
      need.resources().forEach((name, amount) -> putAmount(resources, name, amount, need));
      file.put(RESOURCES.name(), resources);
    }
    putSize(file, DOWNLOAD, need.downloadBytes(), need);
    putAll(file, LABELS, need.labels());
    return file;
  }

  private static void putAll(Map<String, Object> file, Field<?> field, Set<String> texts) {
    if (!texts.isEmpty()) {
      file.put(field.name(), List.copyOf(new TreeSet<>(texts)));
    }
  }

  private static void putSize(Map<String, Object> file, Field<?> field, long bytes, Need need) {
    if (bytes > 0) {
      file.put(field.name(), Amount.written(bytes, need.byAttempt().contains(field.name())));
    }
  }

  private static void putAmount(Map<String, Object> file, String name, double amount, Need need) {
    if (amount > 0) {
      file.put(name, Amount.written(amount, need.byAttempt().contains(name)));
    }
  }

  @Override
  public Map<String, Object> schema() {
    return Map.of("anyOf", List.of(ONE.schema(), ALTERNATIVES.schema(), EXPRESSION.schema()));
  }
}
