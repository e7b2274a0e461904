package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InBrowser.class)
class AdminPageTest {
  private static Locator inDialog(Visit visit, String button) {
    return visit
        .page()
        .getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button));
  }

  @Test
  void a_user_is_added_limited_and_removed(Visit visit) {
    visit.open("admin", "Admin");
    Page page = visit.page();
    visit.button("Add a user").click();
    page.getByLabel("Name").fill("rosa");
    page.getByLabel("Maximum slots").fill("3");
    assertThat(visit.barriers()).isEmpty();
    inDialog(visit, "Add").click();
    Locator row = page.getByRole(AriaRole.ROW).filter(hasText("rosa"));
    assertThat(row).containsText("3 slots");
    visit.picture("admin-users");
    visit.button("Change rosa").click();
    page.getByLabel("Role").selectOption("VIEWER");
    inDialog(visit, "Change").click();
    assertThat(row).containsText("viewer");
    visit.button("Remove rosa").click();
    inDialog(visit, "Remove").click();
    assertThat(row).hasCount(0);
    assertThat(visit.barriers()).isEmpty();
  }

  private static Locator.FilterOptions hasText(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  @Test
  void a_token_is_shown_once_and_ended(Visit visit) {
    visit.open("admin?tab=tokens", "Admin");
    visit.button("New token").click();
    visit.page().getByLabel("What it is for").fill("for the night");
    inDialog(visit, "Create").click();
    assertThat(visit.page().getByText("It is shown only this once")).isVisible();
    visit.button("Revoke for the night").click();
    inDialog(visit, "Revoke").click();
    assertThat(visit.button("Revoke for the night")).hasCount(0);
  }

  @Test
  void rules_of_the_pool_are_seen_and_changed(Visit visit) {
    visit.open("admin?tab=strategy", "Admin");
    Page page = visit.page();
    page.getByRole(AriaRole.RADIO, new Page.GetByRoleOptions().setName("round-robin")).check();
    visit.button("Use it").click();
    assertThat(page.getByText("The pool now uses the strategy round-robin")).isVisible();
    page.getByRole(AriaRole.RADIO, new Page.GetByRoleOptions().setName("survival")).check();
    visit.button("Use it").click();
    assertThat(page.getByText("The pool now uses the strategy survival")).isVisible();
    assertThat(visit.barriers()).isEmpty();
    visit.picture("admin-strategy");
    visit.tab("Retention").click();
    visit.button("Show what would be deleted").click();
    assertThat(page.getByText("Would be deleted: ")).isVisible();
    visit.tab("Settings").click();
    assertThat(visit.button("Save settings")).isVisible();
    assertThat(visit.barriers()).isEmpty();
    visit.tab("Audit log").click();
    assertThat(page.getByText("PUT /api/v1/strategy").first()).isVisible();
    assertThat(visit.barriers()).isEmpty();
    visit.tab("Calls").click();
    assertThat(page.getByText("GET /api/v1/strategy").first()).isVisible();
  }
}
