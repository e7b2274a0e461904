package dev.imker.agent.internal.platform;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/**
 * A pair of keys (Ed25519) in a file that only its owner may read; made when it is first wanted.
 * Several processes may want it at the same time, and all get the same.
 */
final class KeyFile {
  private static final String ALGORITHM = "Ed25519";

  private KeyFile() {}

  static KeyPair open(Path file) throws IOException {
    if (!Files.exists(file)) {
      make(file);
    }
    String[] parts = Files.readString(file).strip().split(" ", 2);
    try {
      KeyFactory keys = KeyFactory.getInstance(ALGORITHM);
      Base64.Decoder base64 = Base64.getDecoder();
      return new KeyPair(
          keys.generatePublic(new X509EncodedKeySpec(base64.decode(parts[1]))),
          keys.generatePrivate(new PKCS8EncodedKeySpec(base64.decode(parts[0]))));
    } catch (GeneralSecurityException
        | IllegalArgumentException
        | ArrayIndexOutOfBoundsException e) {
      throw new IOException(
          file + " is damaged: restore it, or delete it to join as a new agent", e);
    }
  }

  private static void make(Path file) throws IOException {
    Path draft =
        Files.createTempFile(
            file.toAbsolutePath().getParent(), ".key-", ".new", AgentFolder.OWNER_ONLY);
    try {
      Files.writeString(draft, text() + "\n");
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException e) {
      // Another agent was faster: its key is the one.
    } catch (UnsupportedOperationException e) {
      Files.move(draft, file);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static String text() {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      Base64.Encoder base64 = Base64.getEncoder();
      return base64.encodeToString(pair.getPrivate().getEncoded())
          + " "
          + base64.encodeToString(pair.getPublic().getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has Ed25519", e);
    }
  }
}
