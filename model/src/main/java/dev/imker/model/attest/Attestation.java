package dev.imker.model.attest;

import dev.imker.model.BlobId;
import dev.imker.model.job.InputFile;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The proof that a node made a {@link Statement}. Statements that leave a node together have one
 * signature: that of the root of a hash tree over them. Each carries the hashes that lead from it
 * to the root.
 *
 * <p>Hashes are SHA-256 truncated to 128 bits. Finding another statement with the same hash is
 * infeasible; only the signer of both could create two with the same hash.
 *
 * @param checks of the parts of the statement
 * @param inputs SHA-256 of the list of files that this task alone was given
 * @param files that list, unless it is long
 * @param position of the statement among those of its tree
 * @param count of statements in the tree
 * @param path the hashes beside those on the way to the root, the lowest first
 */
public record Attestation(
    int[] checks,
    String inputs,
    List<InputFile> files,
    int position,
    int count,
    List<byte[]> path,
    byte[] signature) {
  /** The maximum size in a report. */
  public static final int MAX_BYTES = 64 << 10;

  private static final int MAX_FILES = 100;
  private static final int MAX_PATHS_CHARS = 10_000;
  private static final int MAX_COUNT = 1 << 24;
  private static final int FORMAT = 1;
  private static final int HASH_BYTES = 16;
  private static final int SIGNATURE_BYTES = 64;
  private static final int SHA256_BYTES = 32;

  /** All that is not a path or a list. */
  private static final int MAX_FIXED_BYTES = 150;

  private static final byte[] PURPOSE =
      "imker attestation root 1\n".getBytes(StandardCharsets.US_ASCII);

  /** A statement and the files whose hash it contains. */
  public record Signable(Statement statement, List<InputFile> files) {}

  /**
   * Signs statements that are sent together; the encoded attestation of each, in the same order.
   *
   * @param signature makes the signature of a text
   */
  public static List<byte[]> sign(List<Signable> all, UnaryOperator<byte[]> signature) {
    List<Map<Statement.Part, String>> parts =
        all.stream().map(one -> one.statement.parts()).toList();
    List<List<byte[]>> levels = new ArrayList<>();
    levels.add(parts.stream().map(Attestation::leaf).toList());
    while (levels.getLast().size() > 1) {
      List<byte[]> below = levels.getLast();
      List<byte[]> level = new ArrayList<>();
      for (int i = 0; i < below.size(); i += 2) {
        level.add(i + 1 < below.size() ? node(below.get(i), below.get(i + 1)) : below.get(i));
      }
      levels.add(level);
    }
    byte[] signed = signature.apply(signed(levels.getLast().getFirst()));
    List<byte[]> attestations = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Signable one = all.get(i);
      attestations.add(
          new Attestation(
                  Statement.checks(parts.get(i)),
                  one.statement.inputs(),
                  isShort(one.files) ? one.files : List.of(),
                  i,
                  all.size(),
                  path(levels, i),
                  signed)
              .encoded());
    }
    return attestations;
  }

  private static boolean isShort(List<InputFile> files) {
    return files.size() <= MAX_FILES
        && files.stream().mapToInt(file -> file.path().length()).sum() <= MAX_PATHS_CHARS;
  }

  private static List<byte[]> path(List<List<byte[]>> levels, int position) {
    List<byte[]> path = new ArrayList<>();
    int at = position;
    for (List<byte[]> level : levels) {
      if ((at ^ 1) < level.size()) {
        path.add(level.get(at ^ 1));
      }
      at >>= 1;
    }
    return path;
  }

  /** Whether the owner of this public key (X.509) signed exactly this statement. */
  public boolean proves(Statement statement, byte[] key) {
    byte[] hash = leaf(statement.parts());
    int at = position;
    int next = 0;
    for (int size = count; size > 1; size = (size + 1) / 2) {
      if ((at ^ 1) < size) {
        if (next == path.size()) {
          return false;
        }
        byte[] other = path.get(next++);
        hash = (at & 1) == 0 ? node(hash, other) : node(other, hash);
      }
      at >>= 1;
    }
    return next == path.size() && Ed25519.verify(key, signed(hash), signature);
  }

  /**
   * The parts in which a statement differs from the signed one, as far as this can be determined.
   */
  public List<Statement.Part> differing(Statement statement) {
    int[] now = Statement.checks(statement.parts());
    return Arrays.stream(Statement.Part.values())
        .filter(part -> now[part.ordinal()] != checks[part.ordinal()])
        .toList();
  }

  private static byte[] leaf(Map<Statement.Part, String> statement) {
    return hash((byte) 0, Statement.text(statement));
  }

  private static byte[] node(byte[] left, byte[] right) {
    return hash((byte) 1, left, right);
  }

  private static byte[] hash(byte kind, byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(kind);
      for (byte[] part : parts) {
        digest.update(part);
      }
      return Arrays.copyOf(digest.digest(), HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static byte[] signed(byte[] root) {
    byte[] text = Arrays.copyOf(PURPOSE, PURPOSE.length + root.length);
    System.arraycopy(root, 0, text, PURPOSE.length, root.length);
    return text;
  }

  private int room() {
    return MAX_FIXED_BYTES
        + HASH_BYTES * path.size()
        + files.stream().mapToInt(file -> MAX_FIXED_BYTES + 3 * file.path().length()).sum();
  }

  private byte[] encoded() {
    ByteBuffer out = ByteBuffer.allocate(room()).put((byte) FORMAT);
    for (int check : checks) {
      out.putInt(check);
    }
    out.put(signature).putInt(position).putInt(count);
    path.forEach(out::put);
    if (!inputs.equals(Statement.NO_INPUTS)) {
      out.put(HexFormat.of().parseHex(inputs));
      for (InputFile file : files) {
        byte[] name = file.path().getBytes(StandardCharsets.UTF_8);
        out.put((byte) (file.executable() ? 1 : 0));
        out.put(HexFormat.of().parseHex(file.blob().sha256()));
        out.putInt(name.length).put(name);
      }
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  /**
   * Reads what a node has sent.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static Attestation decode(byte[] bytes) {
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      require(bytes.length <= MAX_BYTES && in.get() == FORMAT);
      int[] checks = new int[Statement.Part.values().length];
      for (int i = 0; i < checks.length; i++) {
        checks[i] = in.getInt();
      }
      byte[] signature = next(in, SIGNATURE_BYTES);
      int position = in.getInt();
      int count = in.getInt();
      require(count > 0 && count <= MAX_COUNT && position >= 0 && position < count);
      List<byte[]> path = new ArrayList<>();
      int at = position;
      for (int size = count; size > 1; size = (size + 1) / 2) {
        if ((at ^ 1) < size) {
          path.add(next(in, HASH_BYTES));
        }
        at >>= 1;
      }
      String inputs = in.hasRemaining() ? hex(in) : Statement.NO_INPUTS;
      List<InputFile> files = new ArrayList<>();
      while (in.hasRemaining()) {
        boolean executable = in.get() == 1;
        BlobId blob = new BlobId(hex(in));
        String name = new String(next(in, in.getInt()), StandardCharsets.UTF_8);
        files.add(new InputFile(name, blob, 0, executable));
      }
      return new Attestation(checks, inputs, files, position, count, path, signature);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("not an attestation", e);
    }
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException("not an attestation");
    }
  }

  private static String hex(ByteBuffer in) {
    return HexFormat.of().formatHex(next(in, SHA256_BYTES));
  }

  private static byte[] next(ByteBuffer in, int length) {
    require(length >= 0 && length <= in.remaining());
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
