package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Makes the animation of the README from the page: a job from its form to its results. */
@ExtendWith(InBrowser.class)
@EnabledIfSystemProperty(named = "imker.pictures", matches = "true")
class FilmTest {
  private static final int SECONDS = 2;
  private static final int MAX_SECONDS = 20;

  private static final String FAILING =
      """
      imker: 1
      name: frames
      max-failures: 1
      stages:
        - {name: mesh, command: echo mesh, sweep: {part: [head, wings]}}
        - name: render
          command: |
            if [ ${size} = large ]; then seq 9; echo "frame ${n}0 does not fit into memory" >&2; exit 7; fi
          sweep: {size: [small, large], n: 1..6}
          after: mesh
        - {name: film, command: echo cut, after: render}
      """;

  private final List<byte[]> frames = new ArrayList<>();

  @Test
  void a_job_from_its_form_to_its_results(PageWorld world) throws IOException {
    try (Visit visit = Visit.of(world, new Browser.NewContextOptions().setViewportSize(960, 600))) {
      Page page = visit.page();
      visit.open("submit", "Submit a job");
      page.getByLabel("Command").fill("sleep $((${n} % 4)); echo rate ${n} > result.txt");
      page.getByLabel("Values of parameter 1").fill("1..24");
      page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("sweep");
      assertThat(page.getByText("sweep: 24 tasks")).isVisible();
      take(page);
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Submit").setExact(true))
          .click();
      assertThat(page.locator("tbody tr").first()).isVisible();
      page.locator("imker-toasts button").first().click();
      take(page);
      assertThat(page.locator("tbody .chip.done").nth(3)).isVisible();
      take(page);
      visit.tab("Timeline").click();
      assertThat(page.locator("imker-timeline imker-plot[data-drawn]")).isVisible();
      takeTab(page);
      assertThat(page.locator(".page-head .chip.done")).isVisible();
      take(page);
      visit.tab("Results").click();
      assertThat(page.getByLabel("Preview result.txt").first()).isVisible();
      takeTab(page);
      showFailures(visit);
      visit.open("overview", "apiary");
      assertThat(page.locator("imker-plot[data-drawn]")).hasCount(3);
      take(page);
    }
    assertThat(frames.size() * SECONDS).isLessThanOrEqualTo(MAX_SECONDS);
    write(Path.of(System.getProperty("imker.root"), "docs", "pictures", "film.gif"));
  }

  private void showFailures(Visit visit) {
    Page page = visit.page();
    long job = visit.world().calls().finished(FAILING);
    visit.open("job/" + job, "frames #" + job);
    assertThat(page.locator("imker-failures article").first()).isVisible();
    take(page);
    visit.button("Errors of task 9").click();
    assertThat(page.getByRole(AriaRole.LOG)).containsText("does not fit into memory");
    takeTab(page);
    visit.tab("Graph").click();
    assertThat(page.locator(".graph .node")).hasCount(3);
    takeTab(page);
  }

  private void take(Page page) {
    page.evaluate("scrollTo(0, 0)");
    shoot(page);
  }

  /** What the chosen tab shows. */
  private void takeTab(Page page) {
    page.evaluate("document.querySelector('[role=tablist]').scrollIntoView()");
    page.evaluate("scrollBy(0, -70)");
    shoot(page);
  }

  private void shoot(Page page) {
    frames.add(page.screenshot());
  }

  private void write(Path file) throws IOException {
    Files.deleteIfExists(file);
    ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
      writer.setOutput(out);
      writer.prepareWriteSequence(null);
      for (byte[] frame : frames) {
        BufferedImage shot = ImageIO.read(new ByteArrayInputStream(frame));
        BufferedImage image =
            new BufferedImage(
                shot.getWidth(), shot.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, palette(shot));
        image.createGraphics().drawImage(shot, 0, 0, null);
        IIOMetadata metadata =
            writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(image), null);
        String format = metadata.getNativeMetadataFormatName();
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(format);
        child(root, "GraphicControlExtension")
            .setAttribute("delayTime", Integer.toString(100 * SECONDS));
        IIOMetadataNode forEver = new IIOMetadataNode("ApplicationExtension");
        forEver.setAttribute("applicationID", "NETSCAPE");
        forEver.setAttribute("authenticationCode", "2.0");
        forEver.setUserObject(new byte[] {1, 0, 0});
        child(root, "ApplicationExtensions").appendChild(forEver);
        metadata.setFromTree(format, root);
        writer.writeToSequence(new IIOImage(image, null, metadata), null);
      }
      writer.endWriteSequence();
    }
  }

  /** The commonest colours of a picture; pages have few. */
  private static IndexColorModel palette(BufferedImage shot) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (int rgb : shot.getRGB(0, 0, shot.getWidth(), shot.getHeight(), null, 0, shot.getWidth())) {
      counts.merge(rgb, 1, Integer::sum);
    }
    int[] colours =
        counts.entrySet().stream()
            .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
            .limit(256)
            .mapToInt(Map.Entry::getKey)
            .toArray();
    return new IndexColorModel(8, colours.length, colours, 0, false, -1, DataBuffer.TYPE_BYTE);
  }

  private static IIOMetadataNode child(IIOMetadataNode root, String name) {
    for (int i = 0; i < root.getLength(); i++) {
      if (root.item(i).getNodeName().equals(name)) {
        return (IIOMetadataNode) root.item(i);
      }
    }
    IIOMetadataNode node = new IIOMetadataNode(name);
    root.appendChild(node);
    return node;
  }
}
