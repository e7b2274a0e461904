package dev.imker.jobfile.files;

import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Place;
import dev.imker.jobfile.findings.Spot;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The text of a file, read strictly as UTF-8. */
public final class FileText {
  static final int MAX_BYTES = 32 << 20;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private FileText() {}

  /** The text without a byte order mark; null, with a finding, if it is not valid. */
  public static @Nullable String decode(byte[] bytes, Findings findings) {
    Spot start = new Spot(Place.START, "");
    if (bytes.length > MAX_BYTES) {
      findings.error(
          start,
          "The file has %,d bytes; %,d is the limit.".formatted(bytes.length, MAX_BYTES),
          "Put long lists of values into a CSV file and name it with sweep: {csv: FILE}.");
      return null;
    }
    if (bytes.length >= 2 && isUtf16(bytes)) {
      findings.error(start, "The file is in UTF-16.", "Save it as UTF-8.");
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
    if (result.isError()) {
      notUtf8(bytes, in.position(), findings);
      return null;
    }
    String text = out.flip().toString();
    return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
  }

  /**
   * The text, or an exception without a message.
   *
   * @throws CharacterCodingException if it is not valid UTF-8
   */
  public static String decode(byte[] bytes) throws CharacterCodingException {
    String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
  }

  private static boolean isUtf16(byte[] bytes) {
    int mark = ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff);
    return mark == 0xfeff || mark == 0xfffe || bytes[0] == 0 || bytes[1] == 0;
  }

  private static void notUtf8(byte[] bytes, int position, Findings findings) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < position; i++) {
      boolean end = bytes[i] == '\n';
      line += end ? 1 : 0;
      column = end ? 1 : column + 1;
    }
    findings.error(
        new Spot(new Place(line, column), ""),
        "The byte 0x%02x is not UTF-8.".formatted(bytes[position] & 0xff),
        "Save the file as UTF-8.");
  }
}
