package dev.imker.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool behind nginx, with the configuration of docs/operations.md, where nginx is installed. */
class NginxTest {
  private static final Path NGINX = Path.of("/usr/sbin/nginx");
  private static final Path OPERATIONS =
      Path.of(System.getProperty("imker.root"), "docs/operations.md");
  private static final Pattern SITE = Pattern.compile("(?ms)^```\\n(map .*?)^```");
  private static final Pattern BELOW = Pattern.compile("(?ms)^```\\n( +location /imker/ .*?)^```");
  private static final Pattern LOCATION =
      Pattern.compile("(?ms)^  location / \\{\\n(.*?)^  \\}\\n");
  private static final String PASSWORD = "changeit";

  @TempDir Path folder;

  /** The site of the handbook, at a path or at none, as this machine can run it. */
  private String configuration(String path, int port, int server) throws IOException {
    String page = Files.readString(OPERATIONS);
    String site = first(SITE, page);
    if (!path.isEmpty()) {
      String usual =
          first(LOCATION, site)
              .lines()
              .filter(line -> !line.contains("proxy_pass ") && !line.contains("Host "))
              .collect(Collectors.joining("\n"));
      String below =
          first(BELOW, page).replaceFirst("(?m)^ *# .*$", Matcher.quoteReplacement(usual));
      site = LOCATION.matcher(site).replaceFirst(Matcher.quoteReplacement(below));
    }
    String places =
        List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi").stream()
            .map(kind -> kind + "_temp_path " + folder.resolve(kind) + ";\n")
            .collect(Collectors.joining());
    return """
    daemon off;
    user root;
    pid %1$s/nginx.pid;
    error_log %1$s/nginx.log;
    events {}
    http {
    access_log off;
    ssl_certificate %1$s/certificate.pem;
    ssl_certificate_key %1$s/key.pem;
    %2$s%3$s}
    """
        .formatted(
            folder,
            places,
            site.replace("listen 443 ssl", "listen 127.0.0.1:" + port + " ssl")
                .replace("pool.example.org", "localhost")
                .replace("127.0.0.1:7070", "127.0.0.1:" + server));
  }

  private static String first(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    assertThat(found.find()).as(pattern.pattern()).isTrue();
    return found.group(1);
  }

  /** A certificate for localhost that nobody knows; returns what makes a Java trust it. */
  private Map<String, String> certificate() throws Exception {
    Path store = folder.resolve("trust.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                "-genkeypair",
                "-alias",
                "site",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    pem("key.pem", "PRIVATE KEY", keys.getKey("site", PASSWORD.toCharArray()).getEncoded());
    pem("certificate.pem", "CERTIFICATE", keys.getCertificate("site").getEncoded());
    return Map.of(
        "JAVA_TOOL_OPTIONS",
        "-Djavax.net.ssl.trustStore=%s -Djavax.net.ssl.trustStorePassword=%s"
            .formatted(store, PASSWORD));
  }

  private void pem(String file, String kind, byte[] content) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    String text = "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, lines);
    Files.writeString(folder.resolve(file), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/imker"})
  void commands_and_agents_reach_the_pool_through_nginx_with_its_certificate(String path)
      throws Exception {
    assumeTrue(Files.isExecutable(NGINX), "nginx is not installed");
    Map<String, String> trusting = certificate();
    int port = PoolFixture.freePort();
    String site = "https://localhost:" + port + path;
    try (PoolFixture pool =
        PoolFixture.start(folder, "--public-url", site, "--trusted-proxy", "127.0.0.1")) {
      Path file = folder.resolve("nginx.conf");
      int server = pool.announcement().path("port").asInt();
      Files.writeString(file, configuration(path, port, server));
      Process nginx =
          new ProcessBuilder(NGINX.toString(), "-c", file.toString())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("nginx.out").toFile())
              .start();
      try {
        ImkerProcess agent = pool.addAgent("behind", 2, trusting);
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(
                () ->
                    assertThat(agent.out())
                        .as(agent.err() + Files.readString(folder.resolve("nginx.out")))
                        .contains("connecting to " + site, "connected to pool"));
        ImkerProcess.Finished ran =
            ImkerProcess.start(
                    folder.resolve("user"),
                    with(trusting, site, pool.announcement().path("adminToken").asText()),
                    "run",
                    "--wait",
                    "--",
                    "echo through {1..3}; yes line | head -n 20000")
                .finished();
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("through 1", "through 2", "through 3");
        assertThat(pool.announcement().path("loginLink").asText()).startsWith(site + "/login?");
      } finally {
        nginx.destroy();
        nginx.waitFor();
      }
    }
  }

  private static Map<String, String> with(Map<String, String> trusting, String url, String token) {
    Map<String, String> all = new HashMap<>(trusting);
    all.putAll(Map.of("IMKER_URL", url, "IMKER_TOKEN", token));
    return all;
  }
}
