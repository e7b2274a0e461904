package dev.imker.cli.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.client.context.ImkerHome;
import dev.imker.client.context.PoolContext;
import dev.imker.model.connection.JoinToken;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import java.io.PrintWriter;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tells people and the command line how to reach a server that has just started. */
record ServerAnnouncement(RunningServer server, ServerSettings settings) {
  /** Makes this pool the one that commands of this user talk to. */
  void writeContext(ImkerHome home) {
    Set<URI> urls = new LinkedHashSet<>(List.of(server.address()));
    if (settings.shared().isOn()) {
      JoinToken.parse(server.joinToken()).urls().forEach(url -> urls.add(URI.create(url)));
    }
    new PoolContext(List.copyOf(urls), server.adminToken(), fingerprint())
        .write(home.contextFile());
  }

  void print(PrintWriter out, boolean json) {
    Optional<String> code = server.pairingCode();
    if (json) {
      printJson(out, code);
    } else {
      printText(out, code);
    }
    out.flush();
  }

  private void printText(PrintWriter out, Optional<String> code) {
    out.println("Imker is up.");
    out.println("  page           " + server.address());
    out.println("  log in         " + server.loginLink());
    out.println("  data           " + settings.dataFolder());
    if (settings.shared().isOn()) {
      out.println("  files          " + settings.shared().blobs().title());
    }
    if (settings.host().equals(ServerSettings.LOOPBACK)) {
      out.println("  add an agent   imker agent --join " + server.joinToken());
      out.println("                 (this machine only; --listen 0.0.0.0 accepts others)");
    } else {
      out.println("  add a machine  " + server.joinLines().shell());
      out.println(
          "                 where Imker is installed: imker agent --join " + server.joinToken());
      code.ifPresent(
          text ->
              out.println(
                  "  pairing code   "
                      + text
                      + " for 'imker agent' on this network (10 minutes; then: imker join code)"));
    }
    out.println("  try            imker run --wait -- echo hello");
    out.println("Ctrl-C stops it; the next start resumes where it left off.");
  }

  private void printJson(PrintWriter out, Optional<String> code) {
    ObjectNode node = ApiClient.json().createObjectNode();
    node.put("url", server.address().toString());
    node.put("port", server.port());
    node.put("adminToken", server.adminToken());
    node.put("joinToken", server.joinToken());
    node.put("joinLine", server.joinLines().shell());
    code.ifPresent(text -> node.put("pairingCode", text));
    node.put("loginLink", server.loginLink());
    node.put("fingerprint", fingerprint());
    node.put("data", settings.dataFolder().toString());
    out.println(node);
  }

  private String fingerprint() {
    return JoinToken.parse(server.joinToken()).fingerprint();
  }
}
