package dev.imker.agent.internal.doctor;

import dev.imker.agent.ExamFinding;
import dev.imker.model.connection.JoinToken;
import dev.imker.model.connection.PinnedCertificate;
import dev.imker.model.http.Answer;
import dev.imker.model.http.HttpExchanges;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** Whether the servers of a pool are reachable, authentic, and accept the token. */
public record ServerExam(JoinToken join, Map<String, String> env) {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofDays(60);
  private static final Duration LARGE_SKEW = Duration.ofMinutes(1);
  private static final List<String> PROXIES =
      List.of("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY");

  public List<ExamFinding> findings() {
    List<ExamFinding> findings = new ArrayList<>();
    proxy().ifPresent(findings::add);
    try (HttpExchanges http = new HttpExchanges(join.fingerprint(), null, PATIENCE)) {
      for (String url : join.urls()) {
        examine(http, url, findings);
      }
    }
    return findings;
  }

  private Optional<ExamFinding> proxy() {
    return PROXIES.stream()
        .filter(env::containsKey)
        .findFirst()
        .map(
            name ->
                ExamFinding.note(
                    "proxy",
                    name + " is " + env.get(name) + "; the agent connects through it",
                    "For servers that can be reached directly, add their names to NO_PROXY."));
  }

  private void examine(HttpExchanges http, String url, List<ExamFinding> findings) {
    try {
      // Without an agent's upgrade request, this only tells whether the token is accepted.
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url + "/api/v1/agent"))
              .header("Authorization", "Bearer " + join.secret())
              .build();
      Answer answer = http.send(request, PATIENCE, _ -> "");
      findings.add(reached(url, answer.status()));
      certificate(URI.create(url)).ifPresent(findings::add);
      answer.headers().firstValue("Date").flatMap(ServerExam::clock).ifPresent(findings::add);
    } catch (IOException e) {
      findings.add(unreachable(url, e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ExamFinding reached(String url, int status) {
    if (status == 401 || status == 403) {
      return ExamFinding.bad(
          "server",
          url + " rejects the join token (status " + status + ")",
          "Copy the token again from the server; it may have been replaced.");
    }
    String tls = join.fingerprint().isEmpty() ? "without TLS" : "its certificate matches the token";
    return ExamFinding.fine("server", url + " answers and accepts the token, " + tls);
  }

  /** When the certificate of a server expires; servers renew theirs long before. */
  private Optional<ExamFinding> certificate(URI url) {
    if (join.fingerprint().isEmpty()) {
      return Optional.empty();
    }
    try (SSLSocket socket =
        (SSLSocket)
            PinnedCertificate.context(join.fingerprint()).getSocketFactory().createSocket()) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.connect(
          new InetSocketAddress(url.getHost(), url.getPort() < 0 ? 443 : url.getPort()),
          (int) PATIENCE.toMillis());
      socket.startHandshake();
      return socket.getSession().getPeerCertificates()[0] instanceof X509Certificate shown
          ? Optional.of(expiry(shown.getNotAfter().toInstant(), Instant.now()))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // through a proxy, for example; reachability was already reported
    }
  }

  static ExamFinding expiry(Instant expires, Instant now) {
    String text = "the server's certificate expires on " + expires;
    return expires.isAfter(now.plus(SOON))
        ? ExamFinding.fine("certificate", text)
        : ExamFinding.note(
            "certificate",
            text,
            "The server renews it automatically 90 days before: check its log, or run"
                + " 'imker servers certificate --renew'.");
  }

  private static ExamFinding unreachable(String url, IOException failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && !(cause instanceof HttpConnectTimeoutException)) {
      cause = cause.getCause();
    }
    String reason =
        cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    if (failure instanceof SSLException) {
      return ExamFinding.bad(
          "server",
          url + ": " + reason,
          "This is not the server that issued the token, or it has a new certificate: get"
              + " a new token. Do not continue unless you know why.");
    }
    String advice =
        switch (cause) {
          case UnknownHostException _, UnresolvedAddressException _ ->
              "This machine cannot resolve the name: check it, and the DNS settings.";
          case HttpConnectTimeoutException _ ->
              "No answer: a firewall may be blocking it, or the address is wrong.";
          case ConnectException _ ->
              "Nothing is listening there: is the server running on that port, and not"
                  + " only on 127.0.0.1 (imker up --listen 0.0.0.0)?";
          default -> "Check the address and the network.";
        };
    return ExamFinding.bad("server", url + " cannot be reached (" + reason + ")", advice);
  }

  static Optional<ExamFinding> clock(String date) {
    try {
      Instant theirs = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration skew = Duration.between(theirs, Instant.now());
      String text = skew.toSeconds() + " s ahead of the server's";
      return Optional.of(
          skew.abs().compareTo(LARGE_SKEW) > 0
              ? ExamFinding.note(
                  "clock", text, "Leases are not affected, but displayed times will be wrong.")
              : ExamFinding.fine("clock", text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
