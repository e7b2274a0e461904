package dev.imker.cli.agent;

import static java.util.stream.Collectors.joining;

import dev.imker.agent.OwnerActive;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The service of an agent: a systemd unit, or on macOS an agent of launchd.
 *
 * @param user it runs as; empty for a unit of the calling user
 * @param ownerActive when its tasks make room for the owner
 */
record ServiceUnit(Path java, Path jar, Path data, String user, OwnerActive ownerActive) {
  /** The option of 'imker agent' for what is not its default. */
  static List<String> words(OwnerActive ownerActive) {
    return ownerActive == OwnerActive.SCREEN
        ? List.of()
        : List.of("--owner-active", ownerActive.name().toLowerCase(Locale.ROOT));
  }

  static String line(OwnerActive ownerActive) {
    return words(ownerActive).stream().map(word -> " " + word).collect(joining());
  }

  String text() {
    String who = user.isEmpty() ? "" : "User=" + user + "\n";
    // There is no such target among the units of a user.
    String after =
        user.isEmpty() ? "" : "After=network-online.target\nWants=network-online.target\n";
    String wantedBy = user.isEmpty() ? "default.target" : "multi-user.target";
    // Tasks are children of the agent and get no further rights than it has. Sandboxes need
    // namespaces, so those stay allowed. KillMode=mixed lets the agent give its tasks back first.
    // Priorities count only among the processes of a control group, and groups share the processor
    // by their weight; so the service stands beside all others, with the least weight there is.
    return """
    [Unit]
    Description=Imker agent: lends this machine to a compute pool
    %s
    [Service]
    %sEnvironment=LC_ALL=C.UTF-8
    ExecStart=%s --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -XX:+UseSerialGC -Xmx256m -cp %s dev.imker.cli.Main agent --data %s%s
    SuccessExitStatus=143
    Restart=always
    RestartSec=5
    KillMode=mixed
    TimeoutStopSec=20
    Nice=10
    Slice=-.slice
    CPUWeight=1
    IOWeight=1
    Delegate=yes
    NoNewPrivileges=yes

    [Install]
    WantedBy=%s
    """
        .formatted(
            after, who, quoted(java), quoted(jar), quoted(data), line(ownerActive), wantedBy);
  }

  /** For launchd, which starts it when its user logs in. */
  String launchd() {
    StringBuilder words = new StringBuilder();
    Stream<String> program =
        Stream.of(
            java.toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            jar.toString(),
            "dev.imker.cli.Main",
            "agent",
            "--data",
            data.toString());
    Stream.concat(program, words(ownerActive).stream())
        .forEach(word -> words.append("    <string>").append(escaped(word)).append("</string>\n"));
    return """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <key>Label</key><string>dev.imker.agent</string>
      <key>ProgramArguments</key>
      <array>
    %s  </array>
      <key>EnvironmentVariables</key><dict><key>LC_ALL</key><string>C.UTF-8</string></dict>
      <key>RunAtLoad</key><true/>
      <key>KeepAlive</key><true/>
      <key>ThrottleInterval</key><integer>10</integer>
      <key>ExitTimeOut</key><integer>20</integer>
      <key>ProcessType</key><string>Background</string>
      <key>Nice</key><integer>10</integer>
    </dict>
    </plist>
    """
        .formatted(words);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** A word of a unit file: quotes and backslashes escaped, specifiers switched off. */
  private static String quoted(Path path) {
    String text =
        path.toString()
            .replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("%", "%%")
            .replace("$", "$$");
    return text.indexOf(' ') < 0 ? text : "\"" + text + "\"";
  }
}
