package dev.imker.server.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.imker.model.connection.JoinLines;
import dev.imker.server.internal.tls.HostName;
import dev.imker.server.internal.tls.ServerCertificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts as they are, run by the shell and curl of this machine; {@code release --check} has
 * the rest.
 */
class JoinScriptsTest {
  private static final String TOKEN = "imker-join-secret";

  @TempDir Path folder;
  private ServerCertificate certificate;
  private JoinScripts scripts;
  private HttpServer server;
  private final List<String> tokens = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    certificate =
        ServerCertificate.open(
            Files.createDirectories(folder.resolve("tls")),
            List.of(new HostName("127.0.0.1", true)),
            Instant.now());
    Path jar = program();
    scripts = new JoinScripts(Optional.of(jar), "9.9", () -> new JoinScripts.Place("", ""));
    HttpsServer https =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    https.setHttpsConfigurator(new HttpsConfigurator(context(certificate)));
    https.createContext(
        "/join/program.tar",
        exchange -> {
          tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          ProgramArchive archive = ProgramArchive.plain(jar, "9.9");
          exchange.sendResponseHeaders(200, archive.length());
          try (OutputStream out = exchange.getResponseBody()) {
            archive.writeTo(out);
          }
        });
    https.start();
    server = https;
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** A jar whose main class says how it was called. */
  private Path program() throws Exception {
    Path source = Files.createDirectories(folder.resolve("src")).resolve("Main.java");
    Files.writeString(
        source,
        """
        package dev.imker.cli;
        public class Main {
          public static void main(String[] args) {
            System.out.println("called " + String.join(" ", args) + " " + System.getenv("IMKER_JOIN"));
          }
        }
        """);
    Path classes = Files.createDirectories(folder.resolve("classes"));
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source.toString());
    assertThat(compiled).isZero();
    Path jar = Files.createDirectories(folder.resolve("server/lib")).resolve("imker.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("dev/imker/cli/Main.class"));
      Files.copy(classes.resolve("dev/imker/cli/Main.class"), out);
    }
    return jar;
  }

  private static SSLContext context(ServerCertificate of) throws Exception {
    List<Certificate> chain =
        List.copyOf(
            CertificateFactory.getInstance("X.509")
                .generateCertificates(
                    new ByteArrayInputStream(of.chain().getBytes(StandardCharsets.UTF_8))));
    String key = of.key().replaceAll("-----[A-Z ]+-----|\\s", "");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "server",
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))),
        new char[0],
        chain.toArray(new Certificate[0]));
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private String script(String pin) throws IOException {
    String url = "https://127.0.0.1:" + server.getAddress().getPort();
    return scripts.script("join.sh", new JoinScripts.Place(url, pin));
  }

  private record Said(int code, String text) {}

  private Said run(String script, String token, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", "-s", "--", "--dir", place().toString()));
    command.addAll(List.of(arguments));
    Path input = Files.writeString(folder.resolve("input"), script);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectInput(input.toFile()).redirectErrorStream(true);
    builder.environment().keySet().retainAll(List.of("PATH"));
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    if (!token.isEmpty()) {
      builder.environment().put("IMKER_JOIN", token);
    }
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Said(process.exitValue(), text);
  }

  private Path place() {
    return folder.resolve("an agent");
  }

  @Test
  void script_installs_the_program_and_starts_the_agent_with_the_token_and_its_options()
      throws Exception {
    Said said = run(script(certificate.publicKeyPin()), TOKEN, "--name", "b");
    assertThat(said.text()).contains("called agent --name b " + TOKEN);
    assertThat(said.code()).isZero();
    assertThat(tokens).containsExactly("Bearer " + TOKEN);
    assertThat(place().resolve("bin/uninstall")).isExecutable();
    assertThat(run(script(certificate.publicKeyPin()), TOKEN).code()).as("again").isZero();

    Process uninstall = new ProcessBuilder(place().resolve("bin/uninstall").toString()).start();
    assertThat(uninstall.waitFor()).isZero();
    assertThat(place()).doesNotExist();
  }

  @Test
  void server_with_another_key_is_told_nothing_and_nothing_of_it_is_run() throws Exception {
    Said said = run(script("sha256//" + "A".repeat(43) + "="), TOKEN);
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.text()).contains("could not be fetched").doesNotContain("called");
    assertThat(tokens).isEmpty();
    assertThat(place()).doesNotExist();
  }

  @Test
  void program_that_is_not_the_one_the_script_knows_is_not_run() throws Exception {
    String script = script(certificate.publicKeyPin());
    Said said = run(script.replaceAll("(?m)^plain_sum='.", "plain_sum='x"), TOKEN);
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.text()).contains("is not what this script knows").doesNotContain("called");
    assertThat(place()).doesNotExist();
  }

  @Test
  void half_a_script_does_nothing() throws Exception {
    String script = script(certificate.publicKeyPin());
    Said said = run(script.substring(0, script.length() - "main \"$@\"\n".length()), TOKEN);
    assertThat(said).isEqualTo(new Said(0, ""));
    assertThat(place()).doesNotExist();
  }

  @Test
  void without_a_token_the_script_says_where_to_get_one() throws Exception {
    assertThat(run(script(certificate.publicKeyPin()), "").text())
        .contains("take the whole line from 'imker join'");
    assertThat(place()).doesNotExist();
  }

  @Test
  void lines_pin_the_key_where_the_pool_has_its_own_authority() {
    assertThat(JoinLines.of("https://h:7070", "sha256//abc=", "imker-join-x").shell())
        .isEqualTo(
            "curl -fsSk --pinnedpubkey 'sha256//abc=' https://h:7070/join | IMKER_JOIN=imker-join-x"
                + " sh");
    assertThat(JoinLines.of("https://h", "", "imker-join-x").shell())
        .isEqualTo("curl -fsS https://h/join | IMKER_JOIN=imker-join-x sh");
  }

  @Test
  void lines_quote_what_shells_take_for_a_pattern() {
    JoinLines lines = JoinLines.of("https://[fd00::2]:7070", "", "imker-join-x");
    assertThat(lines.shell())
        .isEqualTo("curl -fsS 'https://[fd00::2]:7070/join' | IMKER_JOIN=imker-join-x sh");
    assertThat(lines.powerShell()).contains(" 'https://[fd00::2]:7070/join.ps1' -o ");
  }
}
