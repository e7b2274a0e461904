package dev.imker.agent.internal.platform;

import dev.imker.model.AgentId;
import dev.imker.model.ImkerException;
import dev.imker.model.PrivateFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The folder that belongs to one agent while it runs: {@code agent-1}, or the next number that no
 * other agent has locked. Whoever gets a folder gets the identity in it.
 */
public final class AgentFolder implements AutoCloseable {
  private static final int MAX_AGENTS = 1000;
  static final FileAttribute<?>[] OWNER_ONLY =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
          ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
          }
          : new FileAttribute<?>[0];

  private final Path path;
  private final FileChannel channel;
  private final AgentId id;
  private final KeyPair key;
  private final KeyPair nodeKey;

  private AgentFolder(Path dataFolder, Path path, FileChannel channel) throws IOException {
    this.path = path;
    this.channel = channel;
    this.id = new AgentId(storedOrNew(path.resolve("id")));
    this.key = KeyFile.open(path.resolve("agent-key"));
    this.nodeKey = KeyFile.open(dataFolder.resolve("node-key"));
  }

  public static AgentFolder take(Path dataFolder) throws IOException {
    for (int i = 1; i <= MAX_AGENTS; i++) {
      Path path = PrivateFolder.create(dataFolder.resolve("agent-" + i));
      FileChannel channel = tryLock(path.resolve("lock"));
      if (channel != null) {
        return new AgentFolder(dataFolder, path, channel);
      }
    }
    throw new ImkerException("Too many agents use the folder " + dataFolder + ".");
  }

  private static @Nullable FileChannel tryLock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // Another agent of this very process has it.
    }
    channel.close();
    return null;
  }

  /** The text of a file, or a new random identity that is then kept there for the owner only. */
  static String storedOrNew(Path file) throws IOException {
    if (Files.exists(file)) {
      String stored = Files.readString(file).strip();
      if (!stored.isEmpty()) {
        return stored;
      }
    }
    String fresh = UUID.randomUUID().toString();
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    Files.createFile(draft, OWNER_ONLY);
    Files.writeString(draft, fresh + "\n");
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    return fresh;
  }

  public Path path() {
    return path;
  }

  public AgentId id() {
    return id;
  }

  /** What only this agent has: it proves to the server which agent this is. */
  public KeyPair key() {
    return key;
  }

  /** What all agents of a data folder share: it proves that they are on one node. */
  public KeyPair nodeKey() {
    return nodeKey;
  }

  /** Leaves the folder to others. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
