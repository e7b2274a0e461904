package dev.imker.agent.internal.platform;

import dev.imker.model.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The identity of this machine: what the file {@code node-id} of the data folder says; without one
 * derived from that of the system, which is itself never told to anybody; where there is none, a
 * random one that is kept in that file.
 */
public final class NodeIdentity {
  private static final String PURPOSE = "imker node ";
  private static final int BYTES = 16;

  private NodeIdentity() {}

  public static NodeId find(Path dataFolder) throws IOException {
    return of(MachineIdentity.find(PlatformProbe.os()), dataFolder);
  }

  static NodeId of(String machine, Path dataFolder) throws IOException {
    Path given = dataFolder.resolve("node-id");
    boolean known = machine.length() >= BYTES && !Files.exists(given);
    return new NodeId(known ? derived(machine) : AgentFolder.storedOrNew(given));
  }

  private static String derived(String machine) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest((PURPOSE + machine).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
