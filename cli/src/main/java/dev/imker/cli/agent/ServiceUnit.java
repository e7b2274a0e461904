package dev.imker.cli.agent;

import java.nio.file.Path;

/**
 * The systemd unit of an agent.
 *
 * @param user it runs as; empty for a unit of the calling user
 */
record ServiceUnit(Path java, Path jar, Path data, String user) {
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
    -XX:+UseSerialGC -Xmx256m -cp %s dev.imker.cli.Main agent --data %s
    Restart=always
    RestartSec=10
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
        .formatted(after, who, quoted(java), quoted(jar), quoted(data), wantedBy);
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
