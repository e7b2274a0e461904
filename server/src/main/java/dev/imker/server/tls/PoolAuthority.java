package dev.imker.server.tls;

import dev.imker.server.auth.PrivateFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
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
 */
record PoolAuthority(X509Certificate certificate, PrivateKey key) {
  static final String CERTIFICATE_FILE = "ca.pem";
  static final String KEY_FILE = "ca-key.pem";

  /** Longer than anything that trusts it; replacing it takes new join tokens. */
  private static final Duration VALID = Duration.ofDays(30 * 365L);

  private static final Duration CLOCKS_MAY_DIFFER = Duration.ofDays(1);

  /** Takes the authority in the folder, or makes one. */
  static PoolAuthority open(Path folder, Instant now)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    Path certificateFile = folder.resolve(CERTIFICATE_FILE);
    Path keyFile = folder.resolve(KEY_FILE);
    Optional<String> certificate = PrivateFile.read(certificateFile);
    Optional<String> key = PrivateFile.read(keyFile);
    if (certificate.isPresent() && key.isPresent()) {
      return new PoolAuthority(parse(certificate.get()), parseKey(key.get()));
    }
    Optional<String> alone = PrivateFile.read(folder.resolve("certificate.pem"));
    Optional<String> aloneKey = PrivateFile.read(folder.resolve("certificate-key.pem"));
    if (alone.isPresent() && aloneKey.isPresent() && isSelfSigned(parse(alone.get()))) {
      // From a version without an authority: who trusts this one trusts what it signs.
      PrivateFile.write(keyFile, aloneKey.get());
      PrivateFile.write(certificateFile, alone.get());
      return new PoolAuthority(parse(alone.get()), parseKey(aloneKey.get()));
    }
    KeyPair keys = newKeys();
    X500Name name = new X500Name("CN=Imker pool");
    var builder = builder(name, name, keys.getPublic(), now, now.plus(VALID));
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
    builder.addExtension(
        Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature));
    X509Certificate made = sign(builder, keys.getPrivate());
    PrivateFile.write(keyFile, pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
    PrivateFile.write(certificateFile, pem("CERTIFICATE", made.getEncoded()));
    return new PoolAuthority(made, keys.getPrivate());
  }

  /** Signs the key of a server that is reached by these names. */
  X509Certificate certify(
      PublicKey server, Collection<HostName> names, Instant now, Duration validity)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    X500Name issuer = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    X500Name subject = new X500Name("CN=Imker server");
    var builder = builder(issuer, subject, server, now, now.plus(validity));
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
