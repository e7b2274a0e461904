package dev.imker.model.connection;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts exactly the certificate with the given SHA-256 fingerprint, whoever signed it. Host names
 * are not checked: the certificate itself says more than a name could.
 */
public final class PinnedCertificate extends X509ExtendedTrustManager {
  private static final int SHA256_BYTES = 32;

  private final byte[] sha256;

  /**
   * @param fingerprint in hexadecimal, with or without colons
   */
  public PinnedCertificate(String fingerprint) {
    this.sha256 = HexFormat.of().parseHex(fingerprint.replace(":", "").toLowerCase(Locale.ROOT));
    if (sha256.length != SHA256_BYTES) {
      throw new IllegalArgumentException("not a SHA-256 fingerprint: " + fingerprint);
    }
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

  private void check(X509Certificate[] chain) throws CertificateException {
    byte[] actual;
    try {
      actual = MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded());
    } catch (GeneralSecurityException e) {
      throw new CertificateException(e);
    }
    if (!MessageDigest.isEqual(actual, sha256)) {
      throw new CertificateException(
          "the server's certificate is not the one expected: its fingerprint is "
              + HexFormat.of().formatHex(actual));
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
