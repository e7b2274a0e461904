package dev.imker.cli.data;

import dev.imker.model.ImkerException;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSeal;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** A developer's key (Ed25519) in a file that only its owner can read. */
public final class SigningKey {
  private static final String ALGORITHM = "Ed25519";
  private static final FileAttribute<?>[] PRIVATE =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
          ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
          }
          : new FileAttribute<?>[0];

  private final PrivateKey key;

  private SigningKey(PrivateKey key) {
    this.key = key;
  }

  /** Makes a key and returns the public part, as policies name it. */
  static String create(Path file) {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      Base64.Encoder text = Base64.getEncoder();
      Files.createFile(file, PRIVATE);
      Files.writeString(file, text.encodeToString(pair.getPrivate().getEncoded()) + "\n");
      return text.encodeToString(pair.getPublic().getEncoded());
    } catch (FileAlreadyExistsException e) {
      throw new ImkerException(file + " already exists; choose another name.", e);
    } catch (IOException | GeneralSecurityException e) {
      throw new ImkerException("The key cannot be written to " + file + ": " + e.getMessage(), e);
    }
  }

  public static SigningKey read(Path file) {
    try {
      byte[] bytes = Base64.getDecoder().decode(Files.readString(file).strip());
      return new SigningKey(
          KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(bytes)));
    } catch (IOException e) {
      throw new ImkerException("The key " + file + " cannot be read: " + e.getMessage(), e);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new ImkerException(file + " is not a signing key; make one with: imker key FILE", e);
    }
  }

  /** The job with the signatures that nodes with 'signed: yes' ask for. */
  public JobSpec seal(JobSpec job) {
    return job.withStages(job.stages().stream().map(stage -> seal(job.kind(), stage)).toList());
  }

  /** The stage with the signature that nodes with 'signed: yes' ask for. */
  public Stage seal(JobKind kind, Stage stage) {
    Map<String, String> env = new HashMap<>(stage.env());
    env.put(JobSeal.VARIABLE, sign(JobSeal.text(kind, stage)));
    return stage.withEnv(env);
  }

  /** The signature of a text, in base64. */
  String sign(String text) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new ImkerException("Signing failed: " + e.getMessage(), e);
    }
  }
}
