package dev.imker.cli.api;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.imker.model.http.NoAnswerException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Says in words why a server could not be talked to, and what to do. */
final class ConnectionTrouble {
  private static final int HTTPS_PORT = 443;
  private static final int PROBE_MILLIS = 2000;

  private ConnectionTrouble() {}

  static String of(NoAnswerException failure) {
    String server = failure.server();
    IOException error = failure.why();
    if (error instanceof SSLException) {
      return ofTls(server, error);
    }
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
          + " does not speak HTTP. If the server uses TLS, use https instead: "
          + server.replaceFirst("http:", "https:")
          + ".";
    }
    if (!plain && speaksPlainHttp(URI.create(server))) {
      return withoutTls(server);
    }
    if (failure.mayBeDone()) {
      return "The server at "
          + server
          + " stopped answering. The request may or may not have been carried out: check,"
          + " and try again if it was not.";
    }
    return "No Imker server answers at "
        + server
        + ". Start it with 'imker up', or name another with --server URL --token TOKEN.";
  }

  private static String ofTls(String server, IOException error) {
    Throwable root = error;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage());
    if (message.contains("unable to find valid certification path")) {
      return "The certificate of "
          + server
          + " is not signed by an authority this machine trusts. If it is self-signed,"
          + " pin it: take the fingerprint that 'imker up --json' or 'imker server"
          + " --json' prints on the server, then run 'imker login "
          + server
          + " --fingerprint HEX', or set IMKER_FINGERPRINT.";
    }
    if (message.toLowerCase(Locale.ROOT).contains("unrecognized ssl message")) {
      return withoutTls(server);
    }
    if (message.contains("not the one expected")) {
      return "No trusted connection to "
          + server
          + ": "
          + message
          + ". If the server has a new certificate, compare this with what 'imker server"
          + " --json' prints on the server, and pin it again with 'imker login "
          + server
          + " --fingerprint HEX'. If it does not, somebody else is answering: do not continue.";
    }
    return "No trusted connection to " + server + ": " + message + ".";
  }

  private static String withoutTls(String server) {
    return "The server at "
        + server
        + " does not use TLS. Use http instead: "
        + server.replaceFirst("https:", "http:")
        + ".";
  }

  /** A server without TLS may wait for ever for the end of what it takes for a request line. */
  private static boolean speaksPlainHttp(URI server) {
    try (Socket socket = new Socket()) {
      int port = server.getPort() < 0 ? HTTPS_PORT : server.getPort();
      socket.connect(new InetSocketAddress(server.getHost(), port), PROBE_MILLIS);
      socket.setSoTimeout(PROBE_MILLIS);
      socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(US_ASCII));
      byte[] answer = socket.getInputStream().readNBytes("HTTP/".length());
      return new String(answer, US_ASCII).equals("HTTP/");
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }
}
