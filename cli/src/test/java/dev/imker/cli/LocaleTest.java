package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Server, agent and client where no locale is set: names are UTF-8 all the same. */
class LocaleTest {
  private static final List<String> NO_LOCALE =
      List.of("env", "-u", "LANG", "-u", "LC_ALL", "-u", "LC_CTYPE", "-u", "IMKER_UTF8_RESTART");

  @TempDir Path home;

  @Test
  void names_that_are_not_ascii_travel_without_a_locale() throws Exception {
    int port = PoolFixture.freePort();
    ImkerProcess up =
        ImkerProcess.start(NO_LOCALE, home, "up", "--port", Integer.toString(port), "--slots", "1");
    try {
      await().until(() -> up.out().contains("imker agent --join"));
      makeInput();
      Files.writeString(
          home.resolve("job.yaml"),
          """
          imker: 1
          name: Größe
          command: cat größe.txt > ergebnis-${p}.txt; pwd
          inputs: [größe.txt]
          folder: grün
          sweep:
            p: [süß]
          results: "*.txt"
          """,
          StandardCharsets.UTF_8);
      ImkerProcess.Finished client =
          ImkerProcess.start(
                  NO_LOCALE, home, "submit", "job.yaml", "--wait", "--results", "results")
              .finished();
      assertThat(client.exitCode()).as(client.out() + client.err()).isZero();
      assertThat(client.out()).contains("/grün\n");
      assertThat(listing("results")).contains("/ergebnis-süß.txt");
    } finally {
      up.kill();
    }
  }

  /** By a shell, because the test itself may run in any locale. */
  private void makeInput() throws Exception {
    assertThat(shell("printf hello > \"$(printf 'gr\\303\\266\\303\\237e.txt')\"")).isEmpty();
  }

  private String listing(String folder) throws Exception {
    return shell("find " + folder + " -type f");
  }

  private String shell(String line) throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", line)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .start();
    try (var out = process.getInputStream()) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
