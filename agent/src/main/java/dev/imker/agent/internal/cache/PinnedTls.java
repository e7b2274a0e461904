package dev.imker.agent.internal.cache;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts exactly one certificate, by its SHA-256. Host names are not checked: the pinned
 * certificate says more than a name could.
 */
final class PinnedTls extends X509ExtendedTrustManager {
  private final byte[] fingerprint;

  private PinnedTls(byte[] fingerprint) {
    this.fingerprint = fingerprint;
  }

  /** A context that accepts only a server with this certificate (SHA-256 in hexadecimal). */
  static SSLContext context(String fingerprint) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManager trust = new PinnedTls(HexFormat.of().parseHex(fingerprint));
      context.init(null, new TrustManager[] {trust}, null);
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
    if (!MessageDigest.isEqual(actual, fingerprint)) {
      throw new CertificateException(
          "The server shows another certificate than the join token names; get a new join token"
              + " if the server was set up anew.");
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
    throw new CertificateException("only servers are checked here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw new CertificateException("only servers are checked here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("only servers are checked here");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
