package dev.imker.server.internal.tls;

import dev.imker.server.internal.auth.PrivateFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.HexFormat;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The authority of a pool, made once and shared by its servers: it signs their certificates, which
 * come and go. Agents and users know it by its fingerprint, which is in the join token, so none of
 * them has to be told when a server has a new certificate.
 *
 * <p>When it is replaced, the old one vouches for the new one: servers show the new authority, a
 * certificate of the old one for the new one's key, and the old one. Whoever trusts either of them
 * finds it in that chain, with all that is below it signed by the next.
 *
 * @param previous what is shown behind the certificate for those who trust earlier authorities, as
 *     PEM; empty if there is none
 */
record PoolAuthority(X509Certificate certificate, PrivateKey key, String previous) {
  static final String CERTIFICATE_FILE = "ca.pem";
  static final String KEY_FILE = "ca-key.pem";
  static final String PREVIOUS_FILE = "ca-previous.pem";

  /** The next authority with its key and what is shown behind it, written in one step. */
  private static final String NEXT_FILE = "ca-next.pem";

  private static final String PARTS = "-----PART-----\n";

  /** Longer than anything that trusts it. */
  private static final Duration VALID = Duration.ofDays(30 * 365L);

  private static final Duration CLOCKS_MAY_DIFFER = Duration.ofDays(1);

  /** Takes the authority in the folder, or makes one. */
  static PoolAuthority open(Path folder, Instant now)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    Path certificateFile = folder.resolve(CERTIFICATE_FILE);
    Path keyFile = folder.resolve(KEY_FILE);
    install(folder);
    Optional<String> certificate = PrivateFile.read(certificateFile);
    Optional<String> key = PrivateFile.read(keyFile);
    if (certificate.isPresent() && key.isPresent()) {
      String previous = PrivateFile.read(folder.resolve(PREVIOUS_FILE)).orElse("");
      return new PoolAuthority(
          parse(certificate.get()), parseKey(key.get()), previous.isEmpty() ? "" : previous + "\n");
    }
    Optional<String> alone = PrivateFile.read(folder.resolve("certificate.pem"));
    Optional<String> aloneKey = PrivateFile.read(folder.resolve("certificate-key.pem"));
    if (alone.isPresent() && aloneKey.isPresent() && isSelfSigned(parse(alone.get()))) {
      // From a version without an authority: who trusts this one trusts what it signs.
      PrivateFile.write(keyFile, aloneKey.get());
      PrivateFile.write(certificateFile, alone.get());
      return new PoolAuthority(parse(alone.get()), parseKey(aloneKey.get()), "");
    }
    KeyPair keys = newKeys();
    X500Name name = new X500Name("CN=Imker pool " + Long.toHexString(now.getEpochSecond()));
    X509Certificate made = authority(name, keys.getPrivate(), name, keys.getPublic(), now);
    PrivateFile.write(keyFile, pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
    PrivateFile.write(certificateFile, pem("CERTIFICATE", made.getEncoded()));
    return new PoolAuthority(made, keys.getPrivate(), "");
  }

  /** A certificate for a key that may sign others. */
  private static X509Certificate authority(
      X500Name issuer, PrivateKey issuerKey, X500Name name, PublicKey key, Instant now)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    var builder = builder(issuer, name, key, now, now.plus(VALID));
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
    builder.addExtension(
        Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature));
    return sign(builder, issuerKey);
  }

  /** Makes another authority for the folder, for which the present one vouches. */
  static void replace(Path folder, Instant now)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    PoolAuthority old = open(folder, now);
    KeyPair keys = newKeys();
    String unique = Long.toHexString(new SecureRandom().nextLong());
    X500Name name = new X500Name("CN=Imker pool " + unique);
    X509Certificate next = authority(name, keys.getPrivate(), name, keys.getPublic(), now);
    X509Certificate bridge = authority(old.name(), old.key, name, keys.getPublic(), now);
    PrivateFile.write(
        folder.resolve(NEXT_FILE),
        String.join(
            PARTS,
            pem("CERTIFICATE", next.getEncoded()),
            pem("PRIVATE KEY", keys.getPrivate().getEncoded()),
            pem("CERTIFICATE", bridge.getEncoded())
                + pem("CERTIFICATE", old.certificate.getEncoded())
                + old.previous));
    install(folder);
  }

  /** Certificate and key change together, however often this is begun. */
  private static void install(Path folder) throws IOException {
    Path nextFile = folder.resolve(NEXT_FILE);
    Optional<String> next = PrivateFile.read(nextFile);
    if (next.isPresent()) {
      String[] parts = next.get().split(PARTS, -1);
      PrivateFile.write(folder.resolve(KEY_FILE), parts[1]);
      PrivateFile.write(folder.resolve(PREVIOUS_FILE), parts[2]);
      PrivateFile.write(folder.resolve(CERTIFICATE_FILE), parts[0]);
      Files.delete(nextFile);
    }
  }

  /** Who trusts earlier authorities only is no longer let in. */
  static void forgetPrevious(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(PREVIOUS_FILE));
  }

  /** This authority and what is shown behind it. */
  String chain() throws GeneralSecurityException {
    return pem("CERTIFICATE", certificate.getEncoded()) + previous;
  }

  private X500Name name() {
    return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
  }

  /** Signs the key of a server that is reached by these names. */
  X509Certificate certify(
      PublicKey server, Collection<HostName> names, Instant now, Duration validity)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    X500Name subject = new X500Name("CN=Imker server");
    var builder = builder(name(), subject, server, now, now.plus(validity));
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    GeneralName[] alternatives =
        names.stream().map(HostName::alternative).toArray(GeneralName[]::new);
    builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
    return sign(builder, key);
  }

  private static boolean isSelfSigned(X509Certificate one) {
    return one.getIssuerX500Principal().equals(one.getSubjectX500Principal());
  }

  boolean signed(X509Certificate other) {
    try {
      if (isSelfSigned(other)) {
        return false;
      }
      other.verify(certificate.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** SHA-256 in lower-case hexadecimal. */
  String fingerprint() throws GeneralSecurityException {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
    return HexFormat.of().formatHex(hash);
  }

  private static JcaX509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, PublicKey key, Instant now, Instant until) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(127, new SecureRandom()),
        Date.from(now.minus(CLOCKS_MAY_DIFFER)),
        Date.from(until),
        subject,
        key);
  }

  private static X509Certificate sign(JcaX509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException, OperatorCreationException {
    var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(key);
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
  }

  static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  /** The first certificate of a file. */
  static X509Certificate parse(String pem) throws GeneralSecurityException {
    var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(bytes);
  }

  private static PrivateKey parseKey(String pem) throws GeneralSecurityException {
    String body = pem.replaceAll("-----[A-Z ]+-----", "");
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(body)));
  }

  static String pem(String type, byte[] der) {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
  }
}
