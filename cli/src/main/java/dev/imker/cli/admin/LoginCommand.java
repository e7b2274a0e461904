package dev.imker.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.Passphrase;
import dev.imker.cli.options.ServerOptions;
import dev.imker.cli.options.TimeSpan;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.cli.terminal.SafeWriter;
import dev.imker.cli.terminal.Texts;
import dev.imker.client.context.ImkerHome;
import dev.imker.client.context.PoolContext;
import dev.imker.model.ImkerException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker login}: a token for this user's commands, or a link for a browser. */
@Command(
    name = "login",
    sortOptions = false,
    description = {
      "Log in with user name and password; your commands use that server from then on.",
      "Prompts for the password, or reads it from standard input.",
      "With --oidc, log in through the pool's identity provider, in a browser on any machine."
    })
public final class LoginCommand implements Callable<Integer> {
  @Mixin ServerOptions server = new ServerOptions();
  @Mixin OutputOptions output = new OutputOptions();
  @Spec @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "URL",
      description = "Server (default: the one your commands use now).")
  @Nullable String url;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "User name (default: your user name on this machine).")
  String user = System.getProperty("user.name", "");

  @Option(
      names = "--fingerprint",
      paramLabel = "HEX",
      description = "SHA-256 fingerprint of the server's certificate, if it is self-signed.")
  @Nullable String fingerprint;

  @Option(
      names = {"--for", "--days"},
      paramLabel = "TIME",
      description = "How long the login is valid: 90d, 12h, or a number of days (default: 90d).")
  String lasts = "90d";

  @Option(
      names = "--link",
      description = "Print a one-time link that logs a browser in, without a password.")
  boolean link;

  @Option(
      names = "--oidc",
      description = "Log in through the pool's OpenID Connect provider, in any browser.")
  boolean oidc;

  @Override
  public Integer call() {
    PrintWriter out = SafeWriter.of(Objects.requireNonNull(spec).commandLine().getOut());
    if (link) {
      printLink(out);
      return ExitCodes.OK;
    }
    ImkerHome home = ImkerHome.of(System.getenv());
    PoolContext pool = target(home);
    JsonNode answer;
    try (ApiClient api = new ApiClient(pool)) {
      answer = oidc ? atProvider(api) : api.post("/api/v1/login", request());
    }
    new PoolContext(pool.url(), answer.path("token").asText(), pool.fingerprint())
        .write(home.contextFile());
    if (output.json) {
      OutputOptions.printJson(out, answer);
    } else {
      out.printf(
          "Logged in at %s as %s (%s) until %s.%n",
          pool.url(),
          answer.path("user").asText(),
          answer.path("role").asText(),
          Texts.time(answer.path("expires")));
    }
    return ExitCodes.OK;
  }

  /** What people read goes to the standard error, so that JSON stays JSON. */
  private JsonNode atProvider(ApiClient connection) {
    PrintWriter people = SafeWriter.of(Objects.requireNonNull(spec).commandLine().getErr());
    ApiClient api = connection.patient(people);
    JsonNode begun = api.post("/api/v1/login/oidc/device", Map.of());
    people.printf(
        "Open %s and enter the code %s. Waiting…%n",
        begun.path("address").asText(), begun.path("userCode").asText());
    people.flush();
    Map<String, Object> question =
        Map.of(
            "handle",
            begun.path("handle").asText(),
            "hours",
            Math.multiplyExact(TimeSpan.days("--for", lasts), 24));
    JsonNode answer = api.postRepeatably("/api/v1/login/oidc/poll", question);
    try {
      while (!answer.has("token")) { // the server says when it is over
        Thread.sleep(Duration.ofSeconds(Math.max(1, begun.path("intervalSeconds").asLong())));
        answer = api.postRepeatably("/api/v1/login/oidc/poll", question);
      }
      return answer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("Interrupted; you are not logged in.", e);
    }
  }

  private void printLink(PrintWriter out) {
    try (ApiClient api = url == null ? server.connect() : new ApiClient(known(url))) {
      JsonNode answer = api.post("/api/v1/login/link", Map.of());
      if (output.json) {
        OutputOptions.printJson(out, answer);
      } else {
        out.println(answer.path("link").asText());
      }
    }
  }

  private static PoolContext known(String url) {
    return PoolContext.find(url, null, System.getenv());
  }

  private Map<String, Object> request() {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("user", user);
    body.put("password", Passphrase.ask("Password of " + user));
    body.put("days", TimeSpan.days("--for", lasts));
    return body;
  }

  /** The server to log in at, without a token. */
  private PoolContext target(ImkerHome home) {
    Optional<PoolContext> saved = PoolContext.read(home.contextFile());
    String given = url != null ? url : server.server;
    if (given == null) {
      given = System.getenv("IMKER_URL");
    }
    if (given == null) {
      PoolContext context =
          saved.orElseThrow(
              () -> new ImkerException("Name a server: imker login https://HOST:PORT"));
      return new PoolContext(context.url(), "", context.fingerprint());
    }
    URI address = PoolContext.parse(given);
    String print = fingerprint != null ? fingerprint : System.getenv("IMKER_FINGERPRINT");
    if (print == null) {
      print =
          saved
              .filter(context -> context.url().equals(address))
              .map(PoolContext::fingerprint)
              .orElse("");
    }
    return new PoolContext(address, "", print);
  }
}
