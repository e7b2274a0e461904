package dev.imker.agent.internal.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The identity that the operating system itself keeps for a machine. */
final class MachineIdentity {
  private static final List<Path> LINUX =
      List.of(Path.of("/etc/machine-id"), Path.of("/var/lib/dbus/machine-id"));
  private static final Pattern MAC = Pattern.compile("\"IOPlatformUUID\" = \"([0-9A-Fa-f-]{36})\"");
  private static final Pattern WINDOWS =
      Pattern.compile("MachineGuid\\s+REG_SZ\\s+([0-9A-Fa-f-]{36})");

  private MachineIdentity() {}

  /** Empty where there is none. */
  static String find(String os) throws IOException {
    try {
      return switch (os) {
        case "macos" ->
            parseMac(
                Programs.ask(List.of("/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice")));
        case "windows" ->
            parseWindows(
                Programs.ask(
                    List.of(
                        "reg",
                        "query",
                        "HKLM\\SOFTWARE\\Microsoft\\Cryptography",
                        "/v",
                        "MachineGuid")));
        default -> first(LINUX);
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  static String first(List<Path> files) throws IOException {
    for (Path file : files) {
      if (Files.isReadable(file)) {
        return Files.readString(file).strip();
      }
    }
    return "";
  }

  static String parseMac(String answer) {
    return group(MAC, answer);
  }

  static String parseWindows(String answer) {
    return group(WINDOWS, answer);
  }

  private static String group(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }
}
