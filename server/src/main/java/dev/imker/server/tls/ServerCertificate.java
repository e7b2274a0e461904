package dev.imker.server.tls;

import dev.imker.model.ImkerException;
import dev.imker.server.auth.PrivateFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
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
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The certificate that a server made for itself once. Nobody signed it: agents know it by its
 * fingerprint, which is in the join token.
 *
 * @param fingerprint SHA-256 of the certificate in lower-case hexadecimal
 */
public record ServerCertificate(Path certificateFile, Path keyFile, String fingerprint) {
  private static final Duration VALID = Duration.ofDays(3652);

  /** Takes the certificate in the folder, or makes one for these host names and addresses. */
  public static ServerCertificate open(Path folder, Collection<HostName> names, Clock clock) {
    Path certificateFile = folder.resolve("certificate.pem");
    Path keyFile = folder.resolve("certificate-key.pem");
    try {
      Optional<String> present = PrivateFile.read(certificateFile);
      if (present.isPresent() && PrivateFile.read(keyFile).isPresent()) {
        return new ServerCertificate(certificateFile, keyFile, fingerprint(present.get()));
      }
      return create(certificateFile, keyFile, names, clock);
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new ImkerException(
          "The certificate in "
              + folder
              + " cannot be used: "
              + e.getMessage()
              + ". Remove certificate.pem and certificate-key.pem to get a new one"
              + " (agents then need a new join token).",
          e);
    }
  }

  private static ServerCertificate create(
      Path certificateFile, Path keyFile, Collection<HostName> names, Clock clock)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair keys = generator.generateKeyPair();
    X509Certificate certificate = sign(keys, names, clock.instant());
    PrivateFile.write(keyFile, pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
    PrivateFile.write(certificateFile, pem("CERTIFICATE", certificate.getEncoded()));
    return new ServerCertificate(certificateFile, keyFile, fingerprint(certificate));
  }

  private static X509Certificate sign(KeyPair keys, Collection<HostName> names, Instant now)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    X500Name self = new X500Name("CN=Imker server");
    GeneralName[] alternatives =
        names.stream().map(HostName::alternative).toArray(GeneralName[]::new);
    var builder =
        new JcaX509v3CertificateBuilder(
            self,
            new BigInteger(127, new SecureRandom()),
            Date.from(now.minus(Duration.ofDays(1))),
            Date.from(now.plus(VALID)),
            self,
            keys.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
    var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
  }

  private static String pem(String type, byte[] der) {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
  }

  private static String fingerprint(String pem) throws GeneralSecurityException {
    var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    var certificate = CertificateFactory.getInstance("X.509").generateCertificate(bytes);
    return fingerprint((X509Certificate) certificate);
  }

  private static String fingerprint(X509Certificate certificate) throws GeneralSecurityException {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
    return HexFormat.of().formatHex(hash);
  }
}
