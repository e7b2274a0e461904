package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The parts of a job: lists by pages, a task that runs, the graph. */
@ExtendWith(InBrowser.class)
class JobPartsTest {
  /** How many points of drawn edges are behind boxes that they do not belong to. */
  private static final String HIDDEN_POINTS =
      """
      () => {
        const boxes = [...document.querySelectorAll(".graph .node")].map((node) => {
          const { e, f } = node.transform.baseVal.consolidate().matrix;
          const rect = node.querySelector("rect");
          return { x: e, y: f, right: e + rect.width.baseVal.value, low: f + rect.height.baseVal.value };
        });
        let hidden = 0;
        for (const edge of document.querySelectorAll(".graph path.edge")) {
          for (let at = 2; at < edge.getTotalLength() - 2; at += 2) {
            const { x, y } = edge.getPointAtLength(at);
            if (boxes.some((box) => x > box.x && x < box.right && y > box.y && y < box.low)) hidden++;
          }
        }
        return hidden;
      }
      """;

  @Test
  void pages_of_a_filtered_list_lead_back_also_after_a_reload(Visit visit) {
    long job =
        visit
            .world()
            .calls()
            .finished("imker: 1\nname: pages\ncommand: echo ${n}\nsweep: {n: 1..120}\n");
    visit.open("job/" + job + "?state=DONE", "pages #" + job);
    Locator first = visit.page().locator("imker-tasks tbody tr").first();
    assertThat(first).containsText("n=1");
    visit.button("Next").click();
    assertThat(first).containsText("n=51");
    visit.button("Next").click();
    assertThat(first).containsText("n=101");
    visit.page().reload();
    visit.button("Previous").click();
    assertThat(first).containsText("n=51");
    visit.button("Previous").click();
    assertThat(first).containsText("n=1");
    assertThat(visit.button("Previous")).hasCount(0);
  }

  @Test
  void a_running_task_tells_how_long_and_how_much_it_has_written(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long job = calls.submit("imker: 1\nname: writer\ncommand: printf '%0180d' 7; exec sleep 600\n");
    visit.open("job/" + job + "?task=1", "writer #" + job);
    Page page = visit.page();
    try {
      assertThat(visit.button("Output (180 B so far)")).isVisible();
      assertThat(page.getByText(Pattern.compile("Has been running on .+ for \\d"))).isVisible();
      assertThat(page.getByText("(0 B)")).hasCount(0);
    } finally {
      calls.cancel(job);
    }
  }

  @Test
  void colours_and_progress_bars_of_terminals_read_as_text(Visit visit) {
    long job =
        visit
            .world()
            .calls()
            .finished(
                """
                imker: 1
                name: colourful
                command: printf 'at 10\\rat 100\\n\\033[1;31mred\\033[0m \\033]0;title\\007end\\r\\n'
                """);
    visit.open("job/" + job + "?task=1", "colourful #" + job);
    assertThat(visit.page().getByRole(AriaRole.LOG)).hasText("at 100\nred end");
  }

  @Test
  void edges_that_skip_a_layer_are_seen_and_all_of_a_graph_fits(Visit visit) {
    StringBuilder wide = new StringBuilder("imker: 1\nname: skipping\nstages:\n");
    wide.append(
        "  - {name: begin, command: echo}\n  - {name: prepare, command: echo, after: begin}\n");
    for (int i = 0; i < 24; i++) {
      wide.append("  - {name: part-%d, command: echo, after: prepare}\n".formatted(i));
    }
    wide.append("  - {name: end, command: echo, after: [begin, part-3, prepare]}\n");
    long job = visit.world().calls().submit(wide.toString());
    visit.open("job/" + job + "?tab=graph", "skipping #" + job);
    Page page = visit.page();
    assertThat(page.locator(".graph .node")).hasCount(27);
    assertThat(((Number) page.evaluate(HIDDEN_POINTS)).intValue()).isZero();
    visit.button("Fit").click();
    Number high = (Number) page.evaluate("document.querySelector('.graph svg').clientHeight");
    assertThat(high.intValue()).isLessThan(page.viewportSize().height);
    assertThat(page.getByRole(AriaRole.BUTTON, named("part-23"))).isVisible();
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(Pattern.compile("^" + name + ":"));
  }
}
