package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.jwk.RSAKey;
import dev.imker.testbase.Attack;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Login at an OpenID Connect provider that runs on a socket. */
class OidcTest {
  @TempDir Path folder;
  private TestServer server;
  private OidcMock provider;
  private Rest nobody;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
    provider = new OidcMock();
    nobody = server.withToken("");
    set("oidc.issuer", provider.issuer());
    set("oidc.client-id", OidcMock.CLIENT);
    set("oidc.client-secret", OidcMock.SECRET);
    set("oidc.admins", "wizards, operators");
    set("oidc.users", "staff");
    set("oidc.viewers", "guests");
  }

  @AfterEach
  void stop() {
    provider.close();
    server.close();
  }

  private void set(String name, String value) {
    Rest.Reply reply =
        server.admin().putJson("/api/v1/settings", "{\"%s\":\"%s\"}".formatted(name, value));
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
  }

  // ---------------------------------------------------------------- a browser

  /** A login on its way: the cookie that the browser has, and where it was sent. */
  private record Begun(String cookie, URI page) {
    String query(String name) {
      return OidcMock.fields(page.getRawQuery()).getOrDefault(name, "");
    }
  }

  private Begun begin() {
    return begin("/login/oidc");
  }

  private Begun begin(String path) {
    Rest.Reply reply = nobody.get(path);
    assertThat(reply.status()).as(reply.text()).isEqualTo(303);
    return new Begun(
        cookie(reply, "imker-oidc").orElseThrow(),
        URI.create(reply.headers().firstValue("Location").orElseThrow()));
  }

  private static Optional<String> cookie(Rest.Reply reply, String name) {
    return reply.headers().allValues("Set-Cookie").stream()
        .filter(line -> line.startsWith(name + "="))
        .map(line -> line.replaceFirst(";.*", ""))
        .filter(pair -> !pair.endsWith("="))
        .findFirst();
  }

  /** Logs in at the provider; returns where the browser is sent back to. */
  private URI consent(Begun begun) {
    Rest.Reply reply = nobody.send(HttpRequest.newBuilder(begun.page));
    assertThat(reply.status()).as(reply.text()).isEqualTo(302);
    return URI.create(reply.headers().firstValue("Location").orElseThrow());
  }

  private Rest.Reply comeBack(URI place, String cookie) {
    HttpRequest.Builder request = HttpRequest.newBuilder(place);
    return nobody.send(cookie.isEmpty() ? request : request.header("Cookie", cookie));
  }

  private Rest.Reply login() {
    Begun begun = begin();
    return comeBack(consent(begun), begun.cookie);
  }

  private JsonNode me(Rest.Reply loggedIn) {
    String cookie = cookie(loggedIn, "imker").orElseThrow();
    return nobody.send(nobody.request("/api/v1/me").header("Cookie", cookie)).json();
  }

  private void refused(Rest.Reply reply, int status, String words) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.text()).contains(words);
    assertThat(cookie(reply, "imker")).isEmpty();
    assertThat(users()).containsExactly("admin");
    await()
        .untilAsserted(
            () ->
                assertThat(server.admin().get("/api/v1/audit").text())
                    .contains("GET /login/oidc/callback"));
  }

  private List<String> users() {
    return server.admin().get("/api/v1/users").json().findValuesAsText("user");
  }

  @Test
  void somebody_logs_in_on_the_page_and_has_the_role_of_their_groups() {
    assertThat(nobody.get("/api/v1/login/oidc").json().get("configured").asBoolean()).isTrue();
    Rest.Reply first = login();
    assertThat(first.status()).as(first.text()).isEqualTo(303);
    assertThat(first.headers().firstValue("Location")).contains("../..");
    assertThat(first.headers().allValues("Set-Cookie").toString())
        .contains("HTTPOnly", "SameSite=Strict");
    assertThat(me(first).get("user").asText()).isEqualTo("ulla");
    assertThat(me(first).get("role").asText()).isEqualTo("USER");
    provider.groups = List.of("staff", "operators");
    assertThat(me(login()).get("role").asText()).isEqualTo("ADMIN");
    provider.groups = List.of("guests");
    assertThat(me(login()).get("role").asText()).isEqualTo("VIEWER");
    assertThat(me(first).get("role").asText()).as("also of earlier sessions").isEqualTo("VIEWER");
    assertThat(users()).containsExactly("admin", "ulla");
  }

  @Test
  @Attack("read the client's secret and the mail server's password in the database")
  void secret_settings_are_encrypted_in_the_database() throws IOException {
    set("smtp.password", "very secret password");
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(OidcMock.SECRET)
            .doesNotContain("very secret password");
      }
    }
    server.restart();
    nobody = server.withToken("");
    assertThat(login().status()).isEqualTo(303);
    assertThat(server.admin().get("/api/v1/settings").text()).contains("(set)");
    set("oidc.client-secret", "");
    assertThat(login().status()).isNotEqualTo(303);
  }

  @Test
  void without_settings_there_is_no_such_login() {
    set("oidc.issuer", "");
    assertThat(nobody.get("/api/v1/login/oidc").json().get("configured").asBoolean()).isFalse();
    assertThat(nobody.get("/login/oidc").status()).isEqualTo(404);
    assertThat(nobody.post("/api/v1/login/oidc/device", "{}").status()).isEqualTo(404);
  }

  @Test
  void keys_that_the_provider_changes_are_fetched_again() {
    assertThat(login().status()).isEqualTo(303);
    RSAKey next = OidcMock.newKey("second");
    provider.key = next;
    provider.published = List.of(next);
    assertThat(login().status()).isEqualTo(303);
  }

  @Test
  void a_provider_that_is_away_is_told_in_words() {
    Begun begun = begin();
    URI back = consent(begun);
    provider.close();
    Rest.Reply reply = comeBack(back, begun.cookie);
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.text()).contains("cannot be reached").doesNotContain("Exception:");
  }

  // ---------------------------------------------------------------- attacks on a browser

  @Test
  @Attack("log somebody in as the attacker by sending them to the callback (login CSRF)")
  void a_callback_of_a_login_that_this_browser_did_not_begin_is_refused() {
    Begun attackers = begin();
    URI back = consent(attackers);
    refused(comeBack(back, ""), 403, "not started in this browser");
    refused(comeBack(back, begin().cookie), 403, "not started in this browser");
  }

  @Test
  @Attack("use the state of a login a second time")
  void a_state_comes_back_once() {
    Begun begun = begin();
    provider.groups = List.of(); // so that the first leaves nothing
    URI back = consent(begun);
    refused(comeBack(back, begun.cookie), 401, "None of your groups");
    provider.groups = List.of("staff");
    refused(comeBack(back, begun.cookie), 403, "was completed twice");
    URI fresh = consent(begun);
    refused(comeBack(fresh, begun.cookie), 403, "was completed twice");
  }

  @Test
  @Attack("forge or extend the state of a login")
  void a_state_that_is_old_or_made_up_is_refused() {
    for (String state : List.of("1.abc", "9999999999999.abc", "abc", "")) {
      URI back =
          URI.create(server.running().address() + "/login/oidc/callback?code=x&state=" + state);
      refused(comeBack(back, "imker-oidc=" + state), 403, "start again");
    }
  }

  @Test
  @Attack("use a code that was given to another client")
  void a_code_of_another_client_opens_nothing() {
    Begun begun = begin();
    String code =
        provider.issue(
            "another-client",
            begun.query("redirect_uri"),
            begun.query("code_challenge"),
            begun.query("nonce"));
    refused(comeBack(back(begun, code), begun.cookie), 401, "invalid_grant");
  }

  private static URI back(Begun begun, String code) {
    return URI.create(
        begun.query("redirect_uri") + "?code=" + code + "&state=" + begun.query("state"));
  }

  @Test
  @Attack("inject the code of somebody else's login (PKCE)")
  void a_code_of_another_login_opens_nothing() {
    Begun victims = begin();
    Begun own = begin();
    String stolen = OidcMock.fields(consent(victims).getRawQuery()).getOrDefault("code", "");
    refused(comeBack(back(own, stolen), own.cookie), 401, "invalid_grant");
  }

  @Test
  @Attack("present an ID token with the nonce of another login")
  void a_token_with_another_nonce_is_refused() {
    provider.claims = all -> all.claim("nonce", "of another login");
    refused(login(), 401, "another login");
    provider.claims = all -> all.claim("nonce", null);
    refused(login(), 401, "another login");
  }

  @Test
  @Attack("present an ID token that is expired, from another issuer, or for another application")
  void a_token_that_is_not_for_here_and_now_is_refused() {
    provider.claims = all -> all.expirationTime(Date.from(Instant.now().minusSeconds(3600)));
    refused(login(), 401, "Expired");
    provider.claims = all -> all.expirationTime(null);
    refused(login(), 401, "not valid");
    provider.claims = all -> all.issuer("https://elsewhere.example.org");
    refused(login(), 401, "iss");
    provider.claims = all -> all.audience("another-client");
    refused(login(), 401, "aud");
    provider.claims = all -> all.audience(List.of(OidcMock.CLIENT, "another-client"));
    refused(login(), 401, "another application");
    provider.claims = all -> all.claim("azp", "another-client");
    refused(login(), 401, "another application");
    provider.claims = all -> all.subject(null);
    refused(login(), 401, "sub");
  }

  @Test
  @Attack(
      "present an ID token without a signature, or signed with a key that the provider does not"
          + " publish")
  void a_token_that_the_provider_did_not_sign_is_refused() {
    provider.signing = OidcMock::unsigned;
    refused(login(), 401, "not valid");
    provider.signing = provider::signedByPublicKey;
    refused(login(), 401, "not valid");
    RSAKey strange = OidcMock.newKey("strange");
    provider.signing = all -> OidcMock.signed(all, strange);
    refused(login(), 401, "not valid");
    RSAKey posing = OidcMock.newKey("first");
    provider.signing = all -> OidcMock.signed(all, posing);
    refused(login(), 401, "not valid");
    provider.signing = _ -> "nonsense";
    refused(login(), 401, "not valid");
  }

  @Test
  @Attack("log in without being in a permitted group")
  void somebody_whose_groups_give_no_role_is_refused() {
    provider.groups = List.of("strangers", "staffing");
    refused(login(), 401, "None of your groups");
    provider.groups = List.of();
    refused(login(), 401, "None of your groups");
    provider.claims = all -> all.claim("groups", null);
    refused(login(), 401, "None of your groups");
  }

  @Test
  @Attack("take over the account of an admin or a colleague by using its name at the provider")
  void an_account_belongs_to_the_person_it_was_made_for() {
    provider.groups = List.of("wizards");
    for (String name : List.of("admin", "ADMIN", "admin@evil.example.org")) {
      provider.user = name;
      refused(login(), 401, "somebody else");
    }
    for (String name : List.of("agent", "../x", "a b", "ü", "x".repeat(33))) {
      provider.user = name;
      refused(login(), 401, "lower-case");
    }
    new People(server).add("otto", "VIEWER");
    provider.user = "otto";
    assertThat(login().text()).contains("created by an admin");
    provider.user = "ulla";
    assertThat(login().status()).isEqualTo(303);
    provider.subject = "another ulla";
    assertThat(login().text()).contains("somebody else");
    provider.subject = "1234";
    server.admin().method("DELETE", "/api/v1/users/ulla");
    new People(server).add("ulla", "ADMIN"); // another person, whom an admin added later
    assertThat(login().text()).contains("somebody else");
  }

  @Test
  @Attack("log in with an account that is disabled")
  void a_disabled_account_stays_shut() {
    assertThat(login().status()).isEqualTo(303);
    assertThat(server.admin().putJson("/api/v1/users/ulla", "{\"disabled\":true}").status())
        .isEqualTo(200);
    assertThat(login().text()).contains("disabled");
  }

  @Test
  @Attack("redirect to another site after the login (open redirect)")
  void after_the_login_everybody_is_at_the_page_of_this_server() {
    Begun begun =
        begin("/login/oidc?next=https://evil.example.org&redirect_uri=https://evil.example.org");
    assertThat(begun.query("redirect_uri"))
        .isEqualTo(server.running().address() + "/login/oidc/callback");
    URI back = URI.create(consent(begun) + "&next=//evil.example.org");
    assertThat(comeBack(back, begun.cookie).headers().firstValue("Location")).contains("../..");
    Rest.Reply posing =
        nobody.send(nobody.request("/login/oidc").header("X-Forwarded-Host", "evil.example.org"));
    assertThat(posing.headers().firstValue("Location").orElse("")).doesNotContain("evil");
  }

  @Test
  @Attack("answer from another provider than the one that was asked (mix-up)")
  void an_answer_of_another_provider_is_refused() {
    Begun begun = begin();
    URI back = URI.create(consent(begun) + "&iss=https://evil.example.org");
    refused(comeBack(back, begun.cookie), 401, "A different identity provider");
    Begun second = begin();
    URI error = URI.create(back(second, "x") + "&error=access_denied%0d%0aSet-Cookie:x");
    refused(comeBack(error, second.cookie), 401, "rejected the login");
  }

  @Test
  @Attack("read the secret of the pool at its provider")
  void the_secret_of_the_client_is_shown_to_nobody() {
    assertThat(server.admin().get("/api/v1/settings").text()).doesNotContain(OidcMock.SECRET);
    assertThat(begin().page.toString()).doesNotContain("s3cret");
    assertThat(nobody.get("/api/v1/login/oidc").text()).doesNotContain("s3cret");
  }

  @Test
  @Attack("make the server talk to a provider without encryption")
  void a_provider_without_tls_is_refused_unless_it_is_on_this_machine() {
    assertThat(
            server
                .admin()
                .putJson("/api/v1/settings", "{\"oidc.issuer\":\"http://idp.example.org\"}")
                .status())
        .isEqualTo(400);
    assertThat(server.admin().putJson("/api/v1/settings", "{\"oidc.admins\":\"staff,*\"}").status())
        .as("nobody makes everybody an admin")
        .isEqualTo(400);
  }

  // ---------------------------------------------------------------- a command

  private Rest.Reply poll(String handle) {
    return nobody.post("/api/v1/login/oidc/poll", "{\"handle\":\"%s\"}".formatted(handle));
  }

  @Test
  void a_command_logs_in_by_the_device_flow() {
    JsonNode begun = nobody.post("/api/v1/login/oidc/device", "{}").json();
    assertThat(begun.get("userCode").asText()).isEqualTo("ABCD-EFGH");
    assertThat(begun.toString()).doesNotContain("device-1");
    String handle = begun.get("handle").asText();
    assertThat(poll(handle).status()).isEqualTo(202);
    provider.confirmed = true;
    await().until(() -> poll(handle).status() != 202);
    assertThat(poll(handle).status()).as("once").isEqualTo(401);
    assertThat(users()).containsExactly("admin", "ulla");
    JsonNode again = nobody.post("/api/v1/login/oidc/device", "{}").json();
    Rest.Reply done = poll(again.get("handle").asText());
    assertThat(done.status()).isEqualTo(201);
    Rest ulla = server.withToken(done.json().get("token").asText());
    assertThat(ulla.get("/api/v1/me").json().get("user").asText()).isEqualTo("ulla");
    assertThat(Instant.parse(done.json().get("expires").asText()))
        .isBefore(Instant.now().plusSeconds(25 * 3600));
  }

  @Test
  @Attack("guess, flood or forge logins of the device flow")
  void the_device_flow_gives_nothing_to_those_who_guess_and_few_to_those_who_flood() {
    assertThat(poll("guessed").status()).isEqualTo(401);
    provider.confirmed = true;
    provider.claims = all -> all.audience("another-client");
    String handle = nobody.post("/api/v1/login/oidc/device", "{}").json().get("handle").asText();
    assertThat(poll(handle).errorMessage()).contains("not valid");
    assertThat(poll(handle).status()).isEqualTo(401);
    for (int i = 0; i < 10; i++) {
      assertThat(nobody.post("/api/v1/login/oidc/device", "{}").status()).isEqualTo(201);
    }
    assertThat(nobody.post("/api/v1/login/oidc/device", "{}").status()).isEqualTo(429);
    assertThat(users()).containsExactly("admin");
  }

  @Test
  void a_server_behind_another_name_is_come_back_to_by_that_name() {
    set("server.url", "https://pool.example.org/");
    assertThat(begin().query("redirect_uri"))
        .isEqualTo("https://pool.example.org/login/oidc/callback");
    assertThat(nobody.send(nobody.request("/login/oidc").POST(BodyPublishers.noBody())).status())
        .isEqualTo(405);
  }
}
