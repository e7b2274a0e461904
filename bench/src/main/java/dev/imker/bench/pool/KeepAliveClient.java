package dev.imker.bench.pool;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Requests over one kept connection, with as little as possible between the clock and the server: a
 * general HTTP client takes longer for its part than the server does for all of its.
 */
public final class KeepAliveClient implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final String common;

  KeepAliveClient(URI server, String token) throws IOException {
    this.socket = new Socket(server.getHost(), server.getPort());
    this.socket.setTcpNoDelay(true);
    this.in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    this.common =
        "Host: "
            + server.getHost()
            + ":"
            + server.getPort()
            + "\r\nAuthorization: Bearer "
            + token
            + "\r\nContent-Type: application/json\r\nContent-Length: ";
  }

  /** Sends a body and returns that of the answer. */
  public String post(String path, byte[] body) throws IOException {
    byte[] head =
        ("POST " + path + " HTTP/1.1\r\n" + common + body.length + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] request = new byte[head.length + body.length];
    System.arraycopy(head, 0, request, 0, head.length);
    System.arraycopy(body, 0, request, head.length, body.length);
    socket.getOutputStream().write(request);
    String status = line();
    int length = -1;
    for (String header = line(); !header.isEmpty(); header = line()) {
      if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(header.substring("content-length:".length()).strip());
      }
    }
    if (length < 0) {
      throw new IOException("an answer without a length: " + status);
    }
    String answer = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    if (!status.contains(" 20")) {
      throw new IOException(status + ": " + answer);
    }
    return answer;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the server has closed the connection");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
