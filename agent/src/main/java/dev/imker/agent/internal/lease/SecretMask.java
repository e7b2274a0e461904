package dev.imker.agent.internal.lease;

import dev.imker.agent.internal.host.Ended;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Masks secrets in the output of a task with the same number of stars, so that positions stay the
 * same. Secrets that the task has modified (encoded, split) are not found.
 */
public final class SecretMask {
  private static final int BLOCK_BYTES = 1 << 20;
  private final List<byte[]> secrets;
  private final int longest;

  public SecretMask(Collection<String> secrets) {
    this.secrets =
        secrets.stream()
            .flatMap(String::lines)
            .filter(line -> !line.isBlank())
            .map(line -> line.getBytes(StandardCharsets.UTF_8))
            .sorted(Comparator.comparingInt((byte[] line) -> line.length).reversed())
            .toList();
    this.longest = this.secrets.isEmpty() ? 0 : this.secrets.getFirst().length;
  }

  /** How many bytes a secret has at most. */
  int longest() {
    return longest;
  }

  /** Covers all secrets in the first bytes. */
  void cover(byte[] bytes, int length) {
    for (int i = 0; i < length && longest > 0; i++) {
      for (byte[] secret : secrets) {
        if (begins(bytes, i, length, secret) == secret.length) {
          Arrays.fill(bytes, i, i + secret.length, (byte) '*');
        }
      }
    }
  }

  /** How a run ended, with the secrets covered in its words; its value is its user's own. */
  public Ended cover(Ended end) {
    if (longest == 0) {
      return end;
    }
    byte[] log = end.log().clone();
    cover(log, log.length);
    return new Ended(end.succeeded(), end.value(), log, cover(end.error()), end.cpuNanos());
  }

  /** A text with the secrets covered. */
  public String cover(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    cover(bytes, bytes.length);
    return longest == 0 ? text : new String(bytes, StandardCharsets.UTF_8);
  }

  /** So many of the first bytes do not end within what may become a secret. */
  int settled(byte[] bytes, int length) {
    for (int i = Math.max(0, length - longest + 1); i < length; i++) {
      for (byte[] secret : secrets) {
        if (begins(bytes, i, length, secret) == length - i) {
          return i;
        }
      }
    }
    return length;
  }

  /** How many bytes from a place on are those of a secret, up to the end of either. */
  private static int begins(byte[] bytes, int from, int length, byte[] secret) {
    int most = Math.min(secret.length, length - from);
    int same = 0;
    while (same < most && bytes[from + same] == secret[same]) {
      same++;
    }
    return same == most ? same : -1;
  }

  void cover(Path file) throws IOException {
    if (longest == 0 || !Files.exists(file)) {
      return;
    }
    try (RandomAccessFile io = new RandomAccessFile(file.toFile(), "rw")) {
      byte[] block = new byte[BLOCK_BYTES + longest];
      for (long at = 0; at < io.length(); at += BLOCK_BYTES) {
        int length = (int) Math.min(block.length, io.length() - at);
        io.seek(at);
        io.readFully(block, 0, length);
        byte[] before = Arrays.copyOf(block, length);
        cover(block, length);
        if (!Arrays.equals(before, 0, length, block, 0, length)) {
          io.seek(at);
          io.write(block, 0, length);
        }
      }
    }
  }
}
