package dev.imker.cli.api;

import dev.imker.model.ImkerException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts exactly one server certificate, known by its SHA-256 fingerprint. As the certificate
 * itself is compared, the host name adds nothing and is not checked.
 */
final class PinnedCertificate extends X509ExtendedTrustManager {
  private final String fingerprint;

  private PinnedCertificate(String fingerprint) {
    this.fingerprint = fingerprint.toLowerCase(Locale.ROOT).replace(":", "");
  }

  static SSLContext context(String fingerprint) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new PinnedCertificate(fingerprint)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new ImkerException("TLS is not available in this Java: " + e.getMessage(), e);
    }
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded());
      String found = HexFormat.of().formatHex(digest);
      if (!found.equals(fingerprint)) {
        throw new CertificateException(
            "the server's certificate has the fingerprint " + found + ", expected " + fingerprint);
      }
    } catch (NoSuchAlgorithmException e) {
      throw new CertificateException(e);
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
    throw new CertificateException("clients are not checked here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw new CertificateException("clients are not checked here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("clients are not checked here");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
