package dev.imker.agent.internal.home;

import dev.imker.model.connection.PinnedCertificate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of the authority that all servers of a pool share, as a file that curl and others
 * can use.
 */
final class CertificateFile {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateFile.class);
  private static final int PATIENCE_MILLIS = 5_000;
  private static final int LINE = 64;

  private final String fingerprint;
  private final Path file;
  private boolean written;

  CertificateFile(String fingerprint, Path file) {
    this.fingerprint = fingerprint;
    this.file = file;
  }

  /** The file; empty if the servers need none, or their certificate cannot be had now. */
  synchronized Optional<Path> of(List<URI> servers) {
    if (fingerprint.isEmpty() || !"https".equals(servers.getFirst().getScheme())) {
      return Optional.empty();
    }
    for (URI server : servers) {
      written = written || tryFetch(server);
    }
    return written ? Optional.of(file) : Optional.empty();
  }

  private boolean tryFetch(URI server) {
    try {
      fetch(server);
      return true;
    } catch (IOException | GeneralSecurityException e) {
      LOG.warn("Cannot provide tasks with the certificate of {}: {}", server, e.getMessage());
      return false;
    }
  }

  /** The pin decides: no other certificate than the one of the join token gets here. */
  private void fetch(URI server) throws IOException, GeneralSecurityException {
    try (SSLSocket socket =
        (SSLSocket) PinnedCertificate.context(fingerprint).getSocketFactory().createSocket()) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      int port = server.getPort() < 0 ? 443 : server.getPort();
      socket.connect(new InetSocketAddress(server.getHost(), port), PATIENCE_MILLIS);
      socket.startHandshake();
      StringBuilder text = new StringBuilder();
      for (Certificate certificate : socket.getSession().getPeerCertificates()) {
        // The pinned authority, and where the pool has replaced it, the one it vouches for.
        if (certificate instanceof X509Certificate one && one.getBasicConstraints() >= 0) {
          text.append("-----BEGIN CERTIFICATE-----\n")
              .append(
                  Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(one.getEncoded()))
              .append("\n-----END CERTIFICATE-----\n");
        }
      }
      Files.writeString(file, text);
    }
  }
}
