package dev.imker.server;

import dev.imker.model.connection.JoinLines;
import dev.imker.model.connection.JoinToken;
import dev.imker.server.internal.auth.PoolSecrets;
import dev.imker.server.internal.tls.CertificateRenewal;
import dev.imker.server.internal.tls.HostName;
import dev.imker.server.join.JoinScripts;
import dev.imker.server.members.Membership;
import dev.imker.wire.lan.LanAnnouncement;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;

/** The addresses of a server, and the links and tokens that lead there. */
record Entrance(
    ServerSettings settings,
    PoolSecrets secrets,
    Optional<CertificateRenewal> certificate,
    Membership membership,
    IntSupplier port) {
  /** For programs on this machine. */
  URI address() {
    return URI.create(Addresses.local(scheme(), settings.host(), port.getAsInt()));
  }

  /** Of all servers of the pool. */
  List<String> urls() {
    List<String> all = membership.servers();
    return all.isEmpty() ? ownUrls() : all;
  }

  List<String> ownUrls() {
    return settings
        .face()
        .url()
        .map(url -> List.of(url.toString()))
        .orElseGet(() -> Addresses.reachable(scheme(), settings.host(), port.getAsInt()));
  }

  /** A token with the secret given, or with the pool's own if that is empty. */
  String joinToken(String secret) {
    String word = secret.isEmpty() ? secrets.joinSecret() : secret;
    Set<String> urls = new LinkedHashSet<>();
    settings.face().joinUrls().forEach(url -> urls.add(url.toString()));
    urls.addAll(urls());
    return new JoinToken(List.copyOf(urls), word, fingerprint()).encode();
  }

  /** Empty without TLS, and behind a proxy that ends it, whose certificate is the one to trust. */
  String fingerprint() {
    return settings.face().url().isPresent()
        ? ""
        : certificate.map(own -> own.current().fingerprint()).orElse("");
  }

  /** Whether machines around it can reach it and trust its own certificate, and are to know. */
  boolean isAnnounced() {
    return settings.announced()
        && !fingerprint().isEmpty()
        && !Addresses.isLoopback(settings.host());
  }

  /** How it presents itself to the local network. */
  LanAnnouncement.Server announced() {
    String host =
        HostName.ofThisMachine().stream()
            .filter(name -> !name.isAddress())
            .map(name -> name.text().replaceFirst("\\..*", ""))
            .findFirst()
            .orElse("imker");
    return new LanAnnouncement.Server(
        settings.poolName() + " on " + host, host, port.getAsInt(), fingerprint());
  }

  /** What makes another machine join, with the secret given or with the pool's own. */
  JoinLines joinLines(String secret) {
    JoinScripts.Place place = place();
    return JoinLines.of(place.url(), place.pin(), joinToken(secret));
  }

  JoinScripts.Place place() {
    String pin =
        settings.face().url().isPresent()
            ? ""
            : certificate.map(own -> own.current().publicKeyPin()).orElse("");
    return new JoinScripts.Place(ownUrls().getFirst(), pin);
  }

  String loginLink(String ticket) {
    return settings.face().url().orElseGet(this::address) + "/login?token=" + ticket;
  }

  private String scheme() {
    return certificate.isPresent() ? "https" : "http";
  }
}
