package dev.imker.model.connection;

import dev.imker.model.ImkerException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts the certificate with the given SHA-256 fingerprint, whoever signed it, and certificates
 * signed by it, so that a pool's servers can renew theirs without notifying anybody. Host names are
 * not checked, because the authority of a pool signs only for its servers.
 *
 * <p>When a pool replaces its authority, the old one vouches for the new one; from then on this
 * process trusts both, and {@link #successorOf} returns the fingerprint to remember instead.
 */
public final class PinnedCertificate extends X509ExtendedTrustManager {
  private static final Map<String, String> SUCCESSORS = new ConcurrentHashMap<>();

  private final byte[] sha256;

  /**
   * @param fingerprint in hexadecimal, with or without colons
   */
  public PinnedCertificate(String fingerprint) {
    String hex = normal(fingerprint);
    if (!hex.matches("[0-9a-f]{64}")) {
      throw new ImkerException(
          "'"
              + fingerprint
              + "' is not a certificate fingerprint, which has 64 hexadecimal digits, with"
              + " or without colons. 'imker up --json' and 'imker server --json' print it.");
    }
    this.sha256 = HexFormat.of().parseHex(hex);
  }

  /** For clients of the JDK: accepts only a server with this certificate. */
  public static SSLContext context(String fingerprint) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new PinnedCertificate(fingerprint)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  /** The fingerprint of the authority that this one has vouched for, if one was seen. */
  public static Optional<String> successorOf(String fingerprint) {
    return Optional.ofNullable(SUCCESSORS.get(normal(fingerprint)));
  }

  private static String normal(String fingerprint) {
    return fingerprint.replace(":", "").strip().toLowerCase(Locale.ROOT);
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    try {
      for (int i = 0; i < chain.length; i++) {
        if (isPinned(chain[i])) {
          checkBelow(chain, i);
          if (i > 1) {
            HexFormat hex = HexFormat.of();
            SUCCESSORS.put(hex.formatHex(sha256), hex.formatHex(sha256(chain[1])));
          }
          return;
        }
      }
      throw new CertificateException(
          "the server's certificate is not the one expected: its fingerprint is "
              + HexFormat.of().formatHex(sha256(chain[chain.length - 1])));
    } catch (GeneralSecurityException e) {
      throw e instanceof CertificateException known ? known : new CertificateException(e);
    }
  }

  public boolean isPinned(X509Certificate certificate) throws GeneralSecurityException {
    byte[] shown = sha256(certificate);
    String next = SUCCESSORS.get(HexFormat.of().formatHex(sha256));
    return MessageDigest.isEqual(shown, sha256)
        || (next != null && MessageDigest.isEqual(shown, HexFormat.of().parseHex(next)));
  }

  private static byte[] sha256(X509Certificate certificate) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
  }

  /** Each certificate below the pinned one has to be valid and signed by the next. */
  private static void checkBelow(X509Certificate[] chain, int pinned)
      throws GeneralSecurityException {
    for (int i = 0; i < pinned; i++) {
      if (i > 0 && chain[i].getBasicConstraints() < 0) {
        throw new CertificateException(
            "a certificate was signed by one that is not a certificate authority");
      }
      try {
        chain[i].checkValidity();
      } catch (CertificateException e) {
        throw new CertificateException(
            "the server's certificate is only valid from %s to %s; check the clock of this machine"
                .formatted(chain[i].getNotBefore().toInstant(), chain[i].getNotAfter().toInstant()),
            e);
      }
      chain[i].verify(chain[i + 1].getPublicKey());
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("client certificates are not used");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw new CertificateException("client certificates are not used");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("client certificates are not used");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
