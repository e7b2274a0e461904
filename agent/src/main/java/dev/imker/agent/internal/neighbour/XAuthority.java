package dev.imker.agent.internal.neighbour;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.imker.model.account.UserHome;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The file in which programs of a user find what the displays of that user ask for. */
final class XAuthority {
  static final String COOKIE = "MIT-MAGIC-COOKIE-1";

  private static final int LOCAL = 256;
  private static final int WILD = 65_535;

  private XAuthority() {}

  static Path file(Map<String, String> env) {
    String named = env.getOrDefault("XAUTHORITY", "");
    return named.isEmpty() ? UserHome.of(env).resolve(".Xauthority") : Path.of(named);
  }

  /** The cookie for a display of this machine; empty if there is none. */
  static byte[] cookie(Path file, String display) {
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      while (in.available() > 0) {
        int family = in.readUnsignedShort();
        next(in); // the name of the machine, which may have changed since
        String number = new String(next(in), UTF_8);
        String way = new String(next(in), UTF_8);
        byte[] cookie = next(in);
        boolean fits = number.isEmpty() || number.equals(display);
        if (fits && way.equals(COOKIE) && (family == LOCAL || family == WILD)) {
          return cookie;
        }
      }
    } catch (IOException e) {
      return new byte[0]; // then the display may do without
    }
    return new byte[0];
  }

  private static byte[] next(DataInputStream in) throws IOException {
    byte[] content = new byte[in.readUnsignedShort()];
    in.readFully(content);
    return content;
  }
}
