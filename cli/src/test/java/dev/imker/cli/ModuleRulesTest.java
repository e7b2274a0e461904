package dev.imker.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.imker.model.PrivateFolder;
import dev.imker.model.connection.HttpProxies;
import dev.imker.model.connection.PinnedCertificate;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The modules may use each other only as the architecture says. */
class ModuleRulesTest {
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("model", Set.of()),
          Map.entry("tasks", Set.of()),
          Map.entry("planner", Set.of()),
          Map.entry("coord", Set.of()),
          Map.entry("jobfile", Set.of("model")),
          Map.entry("charts", Set.of("tasks", "model")),
          Map.entry("core", Set.of("model")),
          Map.entry("sim", Set.of("core", "model")),
          Map.entry("wire", Set.of("model")),
          Map.entry("store", Set.of("model")),
          Map.entry("client", Set.of("tasks", "model", "planner")),
          Map.entry("agent", Set.of("wire", "tasks", "model")),
          Map.entry(
              "server", Set.of("core", "store", "wire", "coord", "planner", "jobfile", "model")),
          Map.entry(
              "cli",
              Set.of(
                  "server",
                  "agent",
                  "client",
                  "charts",
                  "sim",
                  "core",
                  "store",
                  "wire",
                  "planner",
                  "jobfile",
                  "tasks",
                  "model",
                  "training")),
          Map.entry("training", Set.of("tasks")),
          Map.entry("testbase", Set.of()),
          Map.entry("testdb", Set.of()),
          Map.entry("testkit", Set.of("server", "agent", "client", "model")));

  private static final int MAX_FILES = 25;

  /** A sealed interface and its records have to be in one package. */
  private static final Set<String> LARGE = Set.of("model/src/main/java/dev/imker/model/change");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.imker");

  @Test
  void modules_use_only_what_the_architecture_allows() {
    MAY_USE.forEach(
        (module, allowed) ->
            noClasses()
                .that()
                .resideInAPackage("dev.imker." + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                    MAY_USE.keySet().stream()
                        .filter(other -> !other.equals(module) && !allowed.contains(other))
                        .map(other -> "dev.imker." + other + "..")
                        .toArray(String[]::new))
                .check(CLASSES));
  }

  @Test
  void no_module_lacks_a_rule() {
    assertThat(MAY_USE.keySet())
        .containsAll(
            CLASSES.stream()
                .map(type -> type.getPackageName().split("\\.", -1)[2])
                .collect(Collectors.toSet()));
  }

  @Test
  void packages_form_no_cycle() {
    slices().matching("dev.imker.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void what_is_internal_is_used_by_its_module_alone() {
    for (String module : MAY_USE.keySet()) {
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.imker." + module + "..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.imker." + module + "..internal..")
          .check(CLASSES);
    }
  }

  @Test
  void no_package_is_too_large_to_look_through() throws IOException {
    Map<String, Long> sizes =
        sources().stream()
            .collect(
                Collectors.groupingBy(
                    file -> file.substring(0, file.lastIndexOf('/')), Collectors.counting()));
    sizes.keySet().removeAll(LARGE);
    assertThat(sizes)
        .isNotEmpty()
        .allSatisfy(
            (folder, size) ->
                assertThat(size).as("files in " + folder).isLessThanOrEqualTo(MAX_FILES));
  }

  @Test
  void every_package_is_in_the_table_of_rooms() throws IOException {
    String page = Files.readString(Path.of("../docs/architecture.md"));
    assertThat(
            sources().stream()
                .filter(file -> file.endsWith("/package-info.java"))
                .map(file -> file.replaceAll(".*/dev/imker/|/package-info.java", ""))
                .map(file -> "| `" + file.replace('/', '.') + "` |"))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(page).contains(row));
  }

  /** Main source files of all modules, relative to the project's folder. */
  private static List<String> sources() throws IOException {
    Path root = Path.of("..").toRealPath();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .filter(file -> file.matches("[^/]+/src/main/java/.*\\.java"))
          .toList();
    }
  }

  /**
   * What servers, agents and commands share of connections and folders; the core has no use for it.
   */
  private static final DescribedPredicate<JavaClass> OF_ALL_PROGRAMS =
      belongToAnyOf(PinnedCertificate.class, HttpProxies.class, PrivateFolder.class)
          .or(
              JavaClass.Predicates.resideInAnyPackage(
                  "dev.imker.model.http..", "dev.imker.model.code.."));

  /** Names of files and patterns of them are computed without looking at a disk. */
  private static final DescribedPredicate<JavaClass> NAMES_OF_FILES =
      belongToAnyOf(Path.class, PathMatcher.class, FileSystem.class, FileSystems.class);

  @Test
  void the_scheduler_knows_nothing_of_connections_and_folders() {
    noClasses()
        .that()
        .resideInAPackage("dev.imker.core..")
        .should()
        .dependOnClassesThat(OF_ALL_PROGRAMS)
        .check(CLASSES);
  }

  @Test
  void the_scheduler_has_no_clock_no_threads_and_no_input_or_output() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.imker.core..", "dev.imker.model..")
        .and(DescribedPredicate.not(OF_ALL_PROGRAMS))
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAnyPackage(
                    "java.io..", "java.nio.file..", "java.net..", "java.sql..")
                .and(DescribedPredicate.not(NAMES_OF_FILES)))
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .check(CLASSES);
  }

  @Test
  void every_package_is_null_marked() {
    classes()
        .that()
        .haveSimpleName("package-info")
        .and()
        .resideOutsideOfPackage("..proto..")
        .should()
        .beAnnotatedWith(org.jspecify.annotations.NullMarked.class)
        .check(CLASSES);
  }
}
