package dev.imker.server.internal.rest.failures;

import dev.imker.model.BlobId;
import dev.imker.model.change.CapturedOutput;
import dev.imker.store.blobs.BlobMissingException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The last meaningful line of a task's output. */
public final class LastLine {
  private static final int TAIL_BYTES = 8 << 10;
  private static final int MAX_CHARS = 300;

  /** Colours and the like of terminals. */
  private static final Pattern CONTROL = Pattern.compile("\u001B\\[[0-9;?]*[ -/]*[@-~]|\\p{Cntrl}");

  /** Where in a program something happened, under the line that says what. */
  private static final Pattern TRACE = Pattern.compile("\\s+at .+|\\s*\\.\\.\\. \\d+ more");

  /** What a shell adds when a program of its was stopped, which says less than the program did. */
  private static final Pattern STOPPED =
      Pattern.compile("Terminated|Killed|.*line \\d+: +\\d+ +(Terminated|Killed)( .*)?");

  /** Opens the content of a blob from an offset on. */
  @FunctionalInterface
  public interface Contents {
    InputStream open(BlobId blob, long offset);
  }

  private LastLine() {}

  /** Empty if nothing was written, or it is gone. */
  public static String of(CapturedOutput output, Contents blobs) throws IOException {
    List<String> lines = new String(tail(output, blobs), StandardCharsets.UTF_8).lines().toList();
    for (String line : lines.reversed()) {
      String clean = TRACE.matcher(line).matches() ? "" : CONTROL.matcher(line).replaceAll("");
      if (!clean.isBlank() && !STOPPED.matcher(clean).matches()) {
        String text = clean.strip();
        return text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + "…" : text;
      }
    }
    return "";
  }

  private static byte[] tail(CapturedOutput output, Contents blobs) throws IOException {
    BlobId blob = output.blob();
    if (blob == null) {
      return output.inline();
    }
    try (InputStream content = blobs.open(blob, Math.max(0, output.size() - TAIL_BYTES))) {
      return content.readAllBytes();
    } catch (BlobMissingException e) {
      return new byte[0];
    }
  }
}
