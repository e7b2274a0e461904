package dev.imker.store.internal.rows;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.ResultFile;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.store.StoreException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The part of a report that has no columns of its own, in two compact byte strings. {@code report}
 * is: a version byte; CPU time; peak memory; both streams, each as size, length of the inline part,
 * blob flag and hash; the number of result files, each as path, hash, size, executable flag; the
 * error; how long it was frozen, whether its memory ran out, and the attestation, as far as there
 * is something to tell of it or of what follows it. Numbers are variable-length (seven bits a byte,
 * low bits first), texts are UTF-8 after their length. {@code output} is the inline part of both
 * streams, one after the other. Where there is nothing to tell, as with most tasks that do nothing,
 * a byte string is null.
 */
public final class ReportCodec {
  private static final int VERSION = 1;
  private static final int HASH_BYTES = 32;

  private ReportCodec() {}

  public static byte @Nullable [] report(AttemptReport report) {
    if (isEmpty(report)) {
      return null;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    out.write(VERSION);
    number(out, report.cpuMillis());
    number(out, report.peakMemoryBytes());
    stream(out, report.stdout());
    stream(out, report.stderr());
    number(out, report.results().size());
    for (ResultFile file : report.results()) {
      text(out, file.path());
      hash(out, file.blob());
      number(out, file.size());
      out.write(file.executable() ? 1 : 0);
    }
    text(out, report.error());
    if (report.pausedMillis() > 0 || report.outOfMemory() || report.attestation().length > 0) {
      number(out, report.pausedMillis());
    }
    if (report.outOfMemory() || report.attestation().length > 0) {
      out.write(report.outOfMemory() ? 1 : 0);
    }
    if (report.attestation().length > 0) {
      number(out, report.attestation().length);
      out.writeBytes(report.attestation());
    }
    return out.toByteArray();
  }

  public static byte @Nullable [] output(AttemptReport report) {
    byte[] first = report.stdout().inline();
    byte[] second = report.stderr().inline();
    if (first.length == 0 && second.length == 0) {
      return null;
    }
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** Completes a report given by its columns with the data of the byte strings. */
  static AttemptReport decode(
      AttemptReport columns, byte @Nullable [] report, byte @Nullable [] output) {
    if (report == null) {
      return columns;
    }
    ByteArrayInputStream in = new ByteArrayInputStream(report);
    int version = in.read();
    if (version != VERSION) {
      throw new StoreException(
          "A report in the database has format "
              + version
              + ", which this version of Imker does not support. Use the version that wrote it.");
    }
    long cpuMillis = number(in);
    long peakMemoryBytes = number(in);
    byte[] inline = output == null ? new byte[0] : output;
    Stream stdout = stream(in);
    Stream stderr = stream(in);
    return new AttemptReport(
        columns.outcome(),
        columns.exitCode(),
        columns.startedMillis(),
        columns.endedMillis(),
        cpuMillis,
        peakMemoryBytes,
        stdout.captured(inline, 0),
        stderr.captured(inline, stdout.inlineLength),
        results(in),
        text(in),
        in.available() > 0 ? number(in) : 0,
        in.read() == 1,
        in.available() > 0 ? bytes(in, (int) number(in)) : new byte[0]);
  }

  /** Passes on every file of a report, with its size. */
  public static void forEachBlob(byte @Nullable [] report, BiConsumer<BlobId, Long> action) {
    AttemptReport whole =
        decode(AttemptReport.withoutRun(AttemptOutcome.SUCCEEDED, 0, ""), report, null);
    for (CapturedOutput output : List.of(whole.stdout(), whole.stderr())) {
      BlobId blob = output.blob();
      if (blob != null) {
        action.accept(blob, output.size());
      }
    }
    whole.results().forEach(file -> action.accept(file.blob(), file.size()));
  }

  private static boolean isEmpty(AttemptReport report) {
    return report.cpuMillis() == 0
        && report.peakMemoryBytes() == 0
        && report.stdout().size() == 0
        && report.stderr().size() == 0
        && report.results().isEmpty()
        && report.error().isEmpty()
        && report.pausedMillis() == 0
        && !report.outOfMemory()
        && report.attestation().length == 0;
  }

  private static List<ResultFile> results(ByteArrayInputStream in) {
    int count = (int) number(in);
    List<ResultFile> results = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      results.add(new ResultFile(text(in), hash(in), number(in), in.read() == 1));
    }
    return List.copyOf(results);
  }

  private static void stream(ByteArrayOutputStream out, CapturedOutput captured) {
    number(out, captured.size());
    number(out, captured.inline().length);
    BlobId blob = captured.blob();
    out.write(blob == null ? 0 : 1);
    if (blob != null) {
      hash(out, blob);
    }
  }

  private static Stream stream(ByteArrayInputStream in) {
    return new Stream(number(in), (int) number(in), in.read() == 1 ? hash(in) : null);
  }

  private record Stream(long size, int inlineLength, @Nullable BlobId blob) {
    CapturedOutput captured(byte[] inline, int from) {
      boolean present = inline.length >= from + inlineLength;
      byte[] bytes = present ? Arrays.copyOfRange(inline, from, from + inlineLength) : new byte[0];
      return new CapturedOutput(size, bytes, blob);
    }
  }

  private static void hash(ByteArrayOutputStream out, BlobId blob) {
    out.writeBytes(HexFormat.of().parseHex(blob.sha256()));
  }

  private static BlobId hash(ByteArrayInputStream in) {
    return new BlobId(HexFormat.of().formatHex(bytes(in, HASH_BYTES)));
  }

  private static void text(ByteArrayOutputStream out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    number(out, bytes.length);
    out.writeBytes(bytes);
  }

  private static String text(ByteArrayInputStream in) {
    return new String(bytes(in, (int) number(in)), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(ByteArrayInputStream in, int length) {
    if (length < 0 || length > in.available()) {
      throw new StoreException("A report in the database is truncated; the database is damaged.");
    }
    byte[] bytes = new byte[length];
    in.readNBytes(bytes, 0, length);
    return bytes;
  }

  private static void number(ByteArrayOutputStream out, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  private static long number(ByteArrayInputStream in) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new StoreException("A report in the database is truncated; the database is damaged.");
  }
}
