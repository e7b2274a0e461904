package dev.imker.server.internal.tls;

import dev.imker.model.ImkerException;
import dev.imker.server.internal.auth.PrivateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Optional;
import org.bouncycastle.operator.OperatorCreationException;

/**
 * What a server shows of itself: a certificate for its names, signed by the pool's authority, and
 * the authority's own behind it, with what leads to it from earlier ones.
 *
 * @param fingerprint of the authority: SHA-256 in lower-case hexadecimal
 * @param chain all these certificates as PEM
 */
public record ServerCertificate(
    String fingerprint, String chain, String key, Instant issued, Instant expires) {
  /** Browsers take none that is valid for much longer. */
  static final Duration VALID = Duration.ofDays(365);

  /** A server that is off for a month still has one when it comes back. */
  static final Duration RENEW_BEFORE = Duration.ofDays(90);

  private static final String CERTIFICATE_FILE = "certificate.pem";
  private static final String KEY_FILE = "certificate-key.pem";

  /** Makes the pool's authority if the folder has none. */
  public static void makeAuthority(Path folder, Instant now) {
    try {
      PoolAuthority.open(folder, now);
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw unusable(folder, e);
    }
  }

  /** Takes the certificate in the folder, or makes one if it has none that is good for long. */
  public static ServerCertificate open(Path folder, Collection<HostName> names, Instant now) {
    try {
      PoolAuthority authority = PoolAuthority.open(folder, now);
      Optional<String> chain = PrivateFile.read(folder.resolve(CERTIFICATE_FILE));
      Optional<String> key = PrivateFile.read(folder.resolve(KEY_FILE));
      if (chain.isPresent() && key.isPresent()) {
        X509Certificate leaf = PoolAuthority.parse(chain.get());
        ServerCertificate present = of(authority, leaf, chain.get(), key.get());
        if (chain.get().endsWith(authority.chain().strip())
            && authority.signed(leaf)
            && !present.isDue(now)) {
          return present;
        }
      }
      return make(folder, authority, names, now);
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw unusable(folder, e);
    }
  }

  /** Makes another one in any case; whoever trusts the authority takes it. */
  public static ServerCertificate renew(Path folder, Collection<HostName> names, Instant now) {
    try {
      return make(folder, PoolAuthority.open(folder, now), names, now);
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw unusable(folder, e);
    }
  }

  /** Makes a new authority; whoever trusts the old one takes what the new one signs. */
  static void replaceAuthority(Path folder, Instant now) {
    try {
      PoolAuthority.replace(folder, now);
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw unusable(folder, e);
    }
  }

  /** Leaves those out who trust an earlier authority only. */
  static void forgetPreviousAuthority(Path folder) {
    try {
      PoolAuthority.forgetPrevious(folder);
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  private static ServerCertificate make(
      Path folder, PoolAuthority authority, Collection<HostName> names, Instant now)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    KeyPair keys = PoolAuthority.newKeys();
    X509Certificate leaf = authority.certify(keys.getPublic(), names, now, VALID);
    String chain = PoolAuthority.pem("CERTIFICATE", leaf.getEncoded()) + authority.chain();
    String key = PoolAuthority.pem("PRIVATE KEY", keys.getPrivate().getEncoded());
    // A crash between the two leaves a pair that does not fit: without a key, none is taken.
    PrivateFile.write(folder.resolve(KEY_FILE), "");
    PrivateFile.write(folder.resolve(CERTIFICATE_FILE), chain);
    PrivateFile.write(folder.resolve(KEY_FILE), key);
    return of(authority, leaf, chain, key);
  }

  private static ServerCertificate of(
      PoolAuthority authority, X509Certificate leaf, String chain, String key)
      throws GeneralSecurityException {
    return new ServerCertificate(
        authority.fingerprint(),
        chain.strip(),
        key.strip(),
        leaf.getNotBefore().toInstant(),
        leaf.getNotAfter().toInstant());
  }

  /** The SHA-256 of the server's own public key, as curl wants it. */
  public String publicKeyPin() {
    try {
      byte[] key = PoolAuthority.parse(chain).getPublicKey().getEncoded();
      return "sha256//"
          + Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(key));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate that was read before cannot be read", e);
    }
  }

  boolean isDue(Instant now) {
    return expires.minus(RENEW_BEFORE).isBefore(now) || key.isEmpty();
  }

  private static ImkerException unusable(Path folder, Exception e) {
    return new ImkerException(
        "The certificates in "
            + folder
            + " cannot be used: "
            + e.getMessage()
            + ". Remove certificate.pem and certificate-key.pem to get a new one; remove ca.pem and"
            + " ca-key.pem as well only if these are damaged (agents then need a new join token).",
        e);
  }
}
