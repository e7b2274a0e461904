package dev.imker.cli.api;

import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** Says in words why a server could not be talked to, and what to do. */
final class ConnectionTrouble {
  private ConnectionTrouble() {}

  static String of(String server, IOException error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
        return "There is no host '"
            + URI.create(server).getHost()
            + "'. Check the address "
            + server
            + ".";
      }
    }
    String message = String.valueOf(error.getMessage());
    boolean plain = server.startsWith("http:");
    if (plain
        && (message.contains("received no bytes") || message.contains("Invalid status line"))) {
      return "What answers at "
          + server
          + " does not speak HTTP. If the server uses TLS, write https instead: "
          + server.replaceFirst("http:", "https:")
          + ".";
    }
    return "No Imker server answers at "
        + server
        + ". Start it with 'imker up', or name another with --server URL --token TOKEN.";
  }

  static String ofTls(String server, IOException error) {
    Throwable root = error;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage());
    if (message.contains("unable to find valid certification path")) {
      return "The certificate of "
          + server
          + " is signed by nobody this machine knows. If the server made it itself, pin it: take the"
          + " fingerprint that 'imker up --json' or 'imker server --json' prints there, then run"
          + " 'imker login "
          + server
          + " --fingerprint HEX', or set IMKER_FINGERPRINT.";
    }
    if (message.contains("Unsupported or unrecognized SSL message")) {
      return "The server at "
          + server
          + " does not use TLS. Write http instead: "
          + server.replaceFirst("https:", "http:")
          + ".";
    }
    return "No trusted connection to " + server + ": " + message + ".";
  }
}
