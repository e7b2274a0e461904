package dev.imker.server.join;

import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.AnswerStream;
import io.vertx.core.http.HttpHeaders;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /join}: the script that {@link dev.imker.model.connection.JoinLines} run, and what it
 * fetches. The script is open to all, since it has nothing secret; the program goes to those who
 * have a join token.
 */
public final class JoinScripts {
  private static final String LINUX = "program-linux-x86_64.tar";
  private static final String PLAIN = "program.tar";
  private static final int CHUNK_BYTES = 256 << 10;

  /**
   * Where the server is.
   *
   * @param pin its public key as {@code sha256//BASE64}; empty where the machine itself knows whom
   *     to trust
   */
  public record Place(String url, String pin) {}

  private record Program(
      ProgramArchive plain, String plainSum, Optional<ProgramArchive> linux, String linuxSum) {}

  private final Optional<Path> jar;
  private final String version;
  private final Supplier<Place> place;
  private @Nullable Program program;

  /**
   * @param jar the program of this server; without one there is nothing to hand out
   */
  public JoinScripts(Optional<Path> jar, String version, Supplier<Place> place) {
    this.jar = jar;
    this.version = version;
    this.place = place;
  }

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/join", Access.OPEN, exchange -> script(exchange, "join.sh")),
        Endpoint.get("/join.ps1", Access.OPEN, exchange -> script(exchange, "join.ps1")),
        Endpoint.get("/join/{archive}", Access.JOIN, this::archive));
  }

  private void script(Exchange exchange, String name) throws IOException {
    Place own = place.get();
    String url = own.pin().isEmpty() ? own.url() : asAsked(exchange, own.url());
    String text = script(name, new Place(url, own.pin()));
    exchange.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    exchange.bytes(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  String script(String name, Place at) throws IOException {
    Program offered = program();
    return ProgramArchive.resource(name)
        .replace("@URL@", at.url())
        .replace("@PIN@", at.pin())
        .replace("@PLAIN_SUM@", offered.plainSum())
        .replace("@LINUX_SUM@", offered.linuxSum());
  }

  /** Of several addresses, the one by which the caller came is known to work. */
  private static String asAsked(Exchange exchange, String fallback) {
    return exchange
        .header("Host")
        .filter(host -> host.matches("[A-Za-z0-9.:\\[\\]-]{1,255}"))
        .map(host -> "https://" + host)
        .orElse(fallback);
  }

  private void archive(Exchange exchange) throws IOException {
    Program offered = program();
    ProgramArchive wanted =
        switch (exchange.param("archive")) {
          case PLAIN -> offered.plain();
          case LINUX -> offered.linux().orElseThrow(JoinScripts::unknown);
          default -> throw unknown();
        };
    exchange.response().putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(wanted.length()));
    exchange.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/x-tar");
    OutputStream answer = new BufferedOutputStream(new AnswerStream(exchange), CHUNK_BYTES);
    wanted.writeTo(answer);
    answer.flush();
    exchange.end();
  }

  private static ApiException unknown() {
    return ApiException.notFound("There are " + PLAIN + " and, for some servers, " + LINUX + ".");
  }

  /** Reading all of it for its sum takes a moment, so that is done when somebody asks. */
  private synchronized Program program() throws IOException {
    if (program == null) {
      Path own =
          jar.orElseThrow(
              () ->
                  ApiException.of(
                      404,
                      "not_found",
                      "This server was not started from a jar, so it has no program to"
                          + " hand out."));
      ProgramArchive plain = ProgramArchive.plain(own, version);
      Optional<ProgramArchive> linux = ProgramArchive.forLinux(own, version);
      String linuxSum = linux.isPresent() ? linux.get().sum().sha256() : "";
      program = new Program(plain, plain.sum().sha256(), linux, linuxSum);
    }
    return program;
  }
}
