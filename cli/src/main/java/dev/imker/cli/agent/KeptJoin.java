package dev.imker.cli.agent;

import dev.imker.model.ImkerException;
import dev.imker.model.connection.JoinToken;
import dev.imker.model.connection.PinnedCertificate;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The join token that an agent was taken with, kept for its next start, readable by its user. */
final class KeptJoin {
  private static final FileAttribute<?>[] PRIVATE =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
          ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
          }
          : new FileAttribute<?>[0];

  private final Path file;

  KeptJoin(Path agentFolder) {
    this.file = agentFolder.resolve("join");
  }

  /** The token given, else that of the environment, else the one that was kept. */
  Optional<JoinToken> find(@Nullable String given, Map<String, String> env) {
    String text = given != null ? given : env.get("IMKER_JOIN");
    Optional<JoinToken> named =
        text == null || text.isBlank() ? Optional.empty() : Optional.of(JoinToken.parse(text));
    if (!Files.exists(file)) {
      return named;
    }
    try {
      List<String> lines = Files.readAllLines(file);
      if (named.isEmpty()) {
        return Optional.of(JoinToken.parse(lines.getFirst()));
      }
      return named.map(
          token ->
              lines.size() > 1 && lines.get(1).equals(token.fingerprint())
                  ? token.withFingerprint(JoinToken.parse(lines.getFirst()).fingerprint())
                  : token);
    } catch (IOException e) {
      throw new ImkerException("The join token saved in " + file + " cannot be read: " + e, e);
    }
  }

  /**
   * Keeps a token; where the pool has replaced its authority, with the new one, and the old one in
   * a second line, so that the token as it was given is still good.
   */
  void keep(JoinToken token) {
    Optional<String> successor =
        token.fingerprint().isEmpty()
            ? Optional.empty()
            : PinnedCertificate.successorOf(token.fingerprint());
    String text =
        successor
            .map(next -> token.withFingerprint(next).encode() + "\n" + token.fingerprint())
            .orElseGet(token::encode);
    try {
      if (successor.isEmpty() && isKept(text)) {
        return; // with the authority before it
      }
      Path draft = Files.createTempFile(file.getParent(), "join", ".new", PRIVATE);
      Files.writeString(draft, text + "\n");
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new ImkerException("The join token cannot be saved in " + file + ": " + e, e);
    }
  }

  private boolean isKept(String text) throws IOException {
    return Files.exists(file) && Files.readAllLines(file).getFirst().equals(text);
  }
}
