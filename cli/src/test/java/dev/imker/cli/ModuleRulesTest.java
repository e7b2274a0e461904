package dev.imker.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The modules may use each other only as the architecture says. */
class ModuleRulesTest {
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("model", Set.of()),
          Map.entry("charts", Set.of("tasks", "model")),
          Map.entry("jobfile", Set.of("model")),
          Map.entry("planner", Set.of()),
          Map.entry("core", Set.of("model")),
          Map.entry("sim", Set.of("core", "model")),
          Map.entry("wire", Set.of("model")),
          Map.entry("store", Set.of("model")),
          Map.entry("tasks", Set.of()),
          Map.entry("client", Set.of("tasks", "model", "planner")),
          Map.entry("agent", Set.of("wire", "tasks", "model")),
          Map.entry(
              "server", Set.of("core", "store", "wire", "coord", "planner", "jobfile", "model")));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.imker");

  @Test
  void modules_use_only_what_the_architecture_allows() {
    MAY_USE.forEach(
        (module, allowed) -> {
          List<String> forbidden = new ArrayList<>();
          for (String other :
              List.of(
                  "model", "jobfile", "planner", "core", "sim", "wire", "store", "coord", "tasks",
                  "client", "agent", "server", "testkit", "charts", "cli", "bench")) {
            if (!other.equals(module) && !allowed.contains(other)) {
              forbidden.add("dev.imker." + other + "..");
            }
          }
          noClasses()
              .that()
              .resideInAPackage("dev.imker." + module + "..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(forbidden.toArray(String[]::new))
              .check(CLASSES);
        });
  }

  @Test
  void modules_form_no_cycle() {
    slices().matching("dev.imker.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void the_scheduler_has_no_clock_no_threads_and_no_input_or_output() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.imker.core..", "dev.imker.model..")
        .and()
        // Java's trust managers take sockets as arguments; this one never touches them.
        .doNotHaveFullyQualifiedName("dev.imker.model.PinnedCertificate")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.io..", "java.nio.file..", "java.net..", "java.sql..")
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
