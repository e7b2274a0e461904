package dev.imker.cli.agent;

import dev.imker.model.ImkerException;
import dev.imker.model.connection.JoinToken;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
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
    if (text != null && !text.isBlank()) {
      return Optional.of(JoinToken.parse(text));
    }
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JoinToken.parse(Files.readString(file)));
    } catch (IOException e) {
      throw new ImkerException("The join token kept in " + file + " cannot be read: " + e, e);
    }
  }

  void keep(JoinToken token) {
    try {
      Path draft = Files.createTempFile(file.getParent(), "join", ".new", PRIVATE);
      Files.writeString(draft, token.encode() + "\n");
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new ImkerException("The join token cannot be kept in " + file + ": " + e, e);
    }
  }
}
