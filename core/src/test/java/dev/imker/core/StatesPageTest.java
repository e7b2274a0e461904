package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.TaskLifeCycle;
import dev.imker.model.TaskLifeCycle.Transition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Keeps docs/states.md as the transition table has it; -Dimker.updateDocs=true writes it. */
class StatesPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("imker.root", ".."), "docs", "states.md");

  @Test
  void page_shows_the_transition_table() throws IOException {
    if (Boolean.getBoolean("imker.updateDocs")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page());
    }
    assertThat(PAGE)
        .as("stale: run the tests of core with -Dimker.updateDocs=true and commit the result")
        .hasContent(page());
  }

  private static String page() {
    StringBuilder page = new StringBuilder();
    page.append("# The life of a task\n\n");
    page.append("Generated from `TaskLifeCycle.TRANSITIONS` by `StatesPageTest`; ");
    page.append("do not edit by hand.\n\n");
    page.append("```mermaid\nstateDiagram-v2\n");
    page.append("  [*] --> WAITING: submitted with predecessors\n");
    page.append("  [*] --> READY: submitted\n");
    for (Transition step : TaskLifeCycle.TRANSITIONS) {
      page.append("  %s --> %s: %s%n".formatted(step.from(), step.to(), step.event()));
    }
    page.append("  DONE --> [*]\n```\n\n");
    page.append("| from | event | to |\n|---|---|---|\n");
    for (Transition step : TaskLifeCycle.TRANSITIONS) {
      page.append("| %s | %s | %s |%n".formatted(step.from(), step.event(), step.to()));
    }
    page.append("\nWhatever is not listed is not possible. ");
    page.append("DONE, FAILED, AUTO_BLOCKED and CANCELLED are settled: ");
    page.append("nothing more happens unless somebody asks for it.\n");
    return page.toString();
  }
}
