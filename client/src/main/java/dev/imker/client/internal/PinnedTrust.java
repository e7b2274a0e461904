package dev.imker.client.internal;

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

/** Trusts exactly the server whose certificate has the known fingerprint, whatever its name. */
final class PinnedTrust extends X509ExtendedTrustManager {
  private final String fingerprint;

  private PinnedTrust(String fingerprint) {
    this.fingerprint = fingerprint.toLowerCase(Locale.ROOT);
  }

  static SSLContext context(String fingerprint) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new PinnedTrust(fingerprint)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new ImkerException("This Java has no TLS: " + e.getMessage(), e);
    }
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded());
      if (!HexFormat.of().formatHex(hash).equals(fingerprint)) {
        throw new CertificateException("the certificate is not the one of the known server");
      }
    } catch (NoSuchAlgorithmException e) {
      throw new CertificateException(e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("not a server");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("not a server");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("not a server");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
