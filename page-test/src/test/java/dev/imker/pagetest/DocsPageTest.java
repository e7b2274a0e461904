package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The documentation, as the server shows it. */
@ExtendWith(InBrowser.class)
class DocsPageTest {
  @Test
  void the_page_leads_to_the_documentation_and_its_links_and_search_work(Visit visit) {
    visit.open("jobs", "Jobs");
    visit.link("Docs").click();
    assertThat(visit.heading("Imker documentation")).isVisible();
    Page page = visit.page();
    page.locator("main a[href='page.md']").first().click();
    assertThat(page).hasURL(Pattern.compile("/docs/page\\.md$"));
    assertThat(page.getByRole(AriaRole.IMG).nth(1)).isVisible();
    for (Locator picture : page.getByRole(AriaRole.IMG).all()) {
      assertThat(picture).hasJSProperty("complete", true);
    }
    assertThat((Boolean) page.evaluate("[...document.images].every(i => i.naturalWidth > 0)"))
        .isTrue();
    page.getByLabel("Search the documentation").fill("leadership");
    visit.button("Search").click();
    assertThat(visit.heading("Found")).isVisible();
    visit.picture("docs-search");
    page.getByRole(AriaRole.MAIN).getByRole(AriaRole.LINK).first().click();
    assertThat(page).hasURL(Pattern.compile("/docs/[a-z0-9/-]+\\.md#"));
    assertThat(page.locator(":target")).isVisible();
  }

  @Test
  void every_route_is_described_and_found_by_words(Visit visit) {
    visit.open("overview", "apiary");
    Page page = visit.page();
    page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("API").setExact(true))
        .click();
    assertThat(visit.heading("REST interface")).isVisible();
    page.getByLabel("Search", new Page.GetByLabelOptions().setExact(true)).fill("timeline");
    assertThat(page.getByText("1 route", new Page.GetByTextOptions().setExact(true))).isVisible();
    page.locator("details.operation summary").click();
    assertThat(page.getByText("Number of time slices")).isVisible();
    assertThat(visit.complaints()).isEmpty();
  }
}
