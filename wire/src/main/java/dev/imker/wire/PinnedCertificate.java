package dev.imker.wire;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import javax.net.ssl.X509TrustManager;

/** Trusts exactly the certificate with the given SHA-256 fingerprint, whoever signed it. */
final class PinnedCertificate implements X509TrustManager {

  private final byte[] sha256;

  /**
   * @param fingerprint in hex, with or without colons
   */
  PinnedCertificate(String fingerprint) {
    this.sha256 = HexFormat.of().parseHex(fingerprint.replace(":", "").toLowerCase(Locale.ROOT));
    if (sha256.length != 32) {
      throw new IllegalArgumentException("not a SHA-256 fingerprint: " + fingerprint);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    byte[] actual = sha256(chain[0].getEncoded());
    if (!MessageDigest.isEqual(actual, sha256)) {
      throw new CertificateException(
          "the server's certificate is not the one expected: its fingerprint is "
              + HexFormat.of().formatHex(actual));
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("client certificates are not used");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
