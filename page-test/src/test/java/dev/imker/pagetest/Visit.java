package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Somebody looks at the page. Whatever the browser complains about is remembered. */
final class Visit implements AutoCloseable {
  private static final boolean PICTURES = Boolean.getBoolean("imker.pictures");

  private final PageWorld world;
  private final BrowserContext context;
  private final Page page;
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  private Visit(PageWorld world, BrowserContext context) {
    this.world = world;
    this.context = context;
    page = context.newPage();
    page.onPageError(complaints::add);
    page.onConsoleMessage(
        message -> {
          // A browser always writes down that somebody is not logged in yet.
          if (message.type().equals("error") && !message.text().contains("401")) {
            complaints.add(message.text());
          }
        });
  }

  static Visit of(PageWorld world) {
    return of(world, new Browser.NewContextOptions().setViewportSize(1280, 860));
  }

  static Visit of(PageWorld world, Browser.NewContextOptions options) {
    return new Visit(world, world.window(options));
  }

  static Visit ofStranger(PageWorld world) {
    return new Visit(world, world.stranger(new Browser.NewContextOptions()));
  }

  Page page() {
    return page;
  }

  PageWorld world() {
    return world;
  }

  List<String> complaints() {
    return complaints;
  }

  /** Goes to a page and waits for its heading. */
  Visit open(String where, String heading) {
    page.navigate("/#/" + where);
    assertThat(heading(heading)).isVisible();
    return this;
  }

  Locator heading(String name) {
    return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(name).setLevel(1));
  }

  Locator button(String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
  }

  Locator link(String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
  }

  Locator tab(String name) {
    return page.getByRole(AriaRole.TAB, new Page.GetByRoleOptions().setName(name));
  }

  /** What an accessibility check holds to be serious. */
  List<String> barriers() {
    return Accessibility.barriers(page);
  }

  /** How far the page is wider than the window. */
  int overhang() {
    return ((Number)
            page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"))
        .intValue();
  }

  /** Keeps what is on the screen for the documentation, if this run is to. */
  void picture(String name) {
    picture(name, false);
  }

  /** The same of all of a page, also of what does not fit on the screen. */
  void wholePicture(String name) {
    picture(name, true);
  }

  private void picture(String name, boolean whole) {
    if (PICTURES) {
      page.evaluate("scrollTo(0, 0)");
      Path file =
          Path.of(System.getProperty("imker.root"), "docs", "pictures", "page-" + name + ".png");
      page.screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(whole));
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
