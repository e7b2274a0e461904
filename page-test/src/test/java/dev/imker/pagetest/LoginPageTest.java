package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.imker.testbase.LoginProvider;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InBrowser.class)
class LoginPageTest {
  @Test
  void a_stranger_logs_in_with_a_token_and_out_again(PageWorld world) {
    try (Visit visit = Visit.ofStranger(world)) {
      Page page = visit.page();
      page.navigate("/");
      assertThat(visit.heading("Log in to the pool")).isVisible();
      visit.picture("login");
      page.getByLabel("Token").fill(world.server().adminToken());
      visit.button("Log in with the token").click();
      assertThat(visit.heading("apiary")).isVisible();
      visit.button("Log out admin").click();
      assertThat(visit.heading("Log in to the pool")).isVisible();
      assertThat(visit.complaints()).isEmpty();
    }
  }

  @Test
  void a_wrong_password_is_told_in_words(PageWorld world) {
    try (Visit visit = Visit.ofStranger(world)) {
      Page page = visit.page();
      page.navigate("/");
      page.getByLabel("User").fill("nobody");
      page.getByLabel("Password").fill("wrong");
      visit.page().getByText("Log in", new Page.GetByTextOptions().setExact(true)).click();
      assertThat(visit.heading("Login failed")).isVisible();
      visit.link("Try again").click();
      assertThat(visit.heading("Log in to the pool")).isVisible();
    }
  }

  @Test
  void a_login_link_opens_the_page(PageWorld world) {
    try (Visit visit = Visit.ofStranger(world)) {
      visit.page().navigate(world.server().loginLink());
      assertThat(visit.heading("apiary")).isVisible();
    }
  }

  @Test
  void somebody_logs_in_at_the_provider_of_the_pool(PageWorld world) throws Exception {
    try (LoginProvider provider = new LoginProvider();
        Visit visit = Visit.ofStranger(world)) {
      set(world, provider.issuer(), LoginProvider.CLIENT, LoginProvider.SECRET, "staff");
      Page page = visit.page();
      page.navigate("/");
      visit.link("Log in with").click();
      assertThat(visit.heading("apiary")).isVisible();
      assertThat(visit.button("Log out ulla")).isVisible();
      assertThat(visit.complaints()).isEmpty();
    } finally {
      set(world, "", "", "", "");
    }
  }

  private static void set(
      PageWorld world, String issuer, String client, String secret, String users) {
    world
        .calls()
        .put(
            "/api/v1/settings",
            Map.of(
                "oidc.issuer", issuer,
                "oidc.client-id", client,
                "oidc.client-secret", secret,
                "oidc.users", users));
  }
}
