package dev.imker.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.OwnerActive;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class ServiceUnitTest {
  @Test
  void a_service_of_the_system_runs_as_a_user_of_its_own() {
    String unit =
        new ServiceUnit(
                Path.of("/opt/jdk/bin/java"),
                Path.of("/a b/imker.jar"),
                Path.of("/var/50%"),
                "imker",
                OwnerActive.NO)
            .text();
    assertThat(unit)
        .contains("pool\nAfter=network-online.target\nWants=network-online.target\n\n[Service]\n")
        .contains("User=imker\nEnvironment=LC_ALL=C.UTF-8\nExecStart=/opt/jdk/bin/java ")
        .contains(
            " -cp \"/a b/imker.jar\" dev.imker.cli.Main agent --data /var/50%% --owner-active no\n")
        .contains("SuccessExitStatus=143\nRestart=always\n")
        .contains("WantedBy=multi-user.target");
  }

  @Test
  void a_service_of_a_user_names_none() {
    assertThat(
            new ServiceUnit(Path.of("/j"), Path.of("/i"), Path.of("/d"), "", OwnerActive.SCREEN)
                .text())
        .doesNotContain("User=")
        .doesNotContain("--owner-active")
        .contains("pool\n\n[Service]\nEnvironment=LC_ALL=C.UTF-8\nExecStart=/j ")
        .contains("WantedBy=default.target");
  }

  @Test
  void launchd_gets_the_words_of_the_command_one_by_one() throws Exception {
    String list =
        new ServiceUnit(
                Path.of("/j"), Path.of("/a b/<i>.jar"), Path.of("/d&e"), "", OwnerActive.YES)
            .launchd();
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    NodeList words =
        ((Element)
                factory
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(list)))
                    .getElementsByTagName("array")
                    .item(0))
            .getElementsByTagName("string");
    assertThat(IntStream.range(0, words.getLength()).mapToObj(i -> words.item(i).getTextContent()))
        .startsWith("/j")
        .endsWith(
            "-cp",
            "/a b/<i>.jar",
            "dev.imker.cli.Main",
            "agent",
            "--data",
            "/d&e",
            "--owner-active",
            "yes");
  }
}
