package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.testbase.LoginProvider;
import dev.imker.testkit.TestPool;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code imker login --oidc} as somebody types it, at a provider on a socket. */
class OidcLoginTest {
  @TempDir Path folder;

  @Test
  void somebody_logs_in_by_a_code_that_they_enter_elsewhere() throws Exception {
    try (TestPool pool = TestPool.start(folder.resolve("pool"));
        LoginProvider provider = new LoginProvider()) {
      CommandsInProcess admin = new CommandsInProcess(pool);
      for (Map.Entry<String, String> setting :
          Map.of(
                  "oidc.issuer",
                  provider.issuer(),
                  "oidc.client-id",
                  LoginProvider.CLIENT,
                  "oidc.client-secret",
                  LoginProvider.SECRET,
                  "oidc.users",
                  "staff")
              .entrySet()) {
        assertThat(
                admin
                    .imker("settings", "set", setting.getKey() + "=" + setting.getValue())
                    .exitCode())
            .isZero();
      }
      Path home = folder.resolve("home");
      String url = pool.server().address().toString();
      ImkerProcess login =
          ImkerProcess.start(home, Map.of(), "login", url, "--oidc", "--for", "1d");
      String invitation = "Open " + provider.issuer() + "/activate and enter the code ABCD-EFGH.";
      await().until(() -> login.err().contains(invitation) || !login.isAlive());
      assertThat(login.isAlive()).as(login.err()).isTrue();
      provider.confirm();
      ImkerProcess.Finished done = login.finished();
      assertThat(done.exitCode()).as(done.err()).isZero();
      assertThat(done.out()).contains("Logged in at " + url + " as ulla (USER)");
      assertThat(ImkerProcess.run(home, "whoami").out()).contains("ulla");
    }
  }
}
