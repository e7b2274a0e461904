package dev.imker.client.internal.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is kept for request after request (HTTP/1.1, RFC 9112), one at a time. The
 * thread that asks is the one that reads the answer: for a short call the threads of a general
 * client take longer than all that the server does.
 */
final class HttpConnection implements AutoCloseable {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 [1-5][0-9][0-9]( .*)?");
  static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int LONGEST_HEAD_BYTES = 1 << 16;

  /** What came back; the body has to be read to its end before the next request. */
  record Answer(int status, Map<String, String> headers, InputStream body) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** The other side had closed the connection before it got the request. */
  static final class StaleException extends IOException {
    private static final long serialVersionUID = 1L;

    StaleException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private final URI origin;
  private final Socket socket;
  private final InputStream in;
  private boolean used;
  private boolean reusable = true;
  private volatile boolean brokenOff;

  private HttpConnection(URI origin, Socket socket) throws IOException {
    this.origin = origin;
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
  }

  /**
   * @param origin scheme, host and port
   * @param tls makes the sockets of https
   * @param checksNames whether a certificate has to be for the host's name
   * @param patience until the other side is there, and for each of its words at the beginning
   */
  static HttpConnection open(
      URI origin, SSLSocketFactory tls, boolean checksNames, Duration patience) throws IOException {
    int patienceMillis = (int) patience.toMillis();
    boolean secure = origin.getScheme().equals("https");
    int port = origin.getPort() >= 0 ? origin.getPort() : secure ? 443 : 80;
    Proxy proxy = proxy(origin);
    Socket socket = new Socket(proxy);
    try {
      socket.setTcpNoDelay(true);
      String host = host(origin);
      socket.connect(
          proxy.type() == Proxy.Type.DIRECT
              ? new InetSocketAddress(host, port)
              : InetSocketAddress.createUnresolved(host, port),
          patienceMillis);
      if (!secure) {
        return new HttpConnection(origin, socket);
      }
      socket.setSoTimeout(patienceMillis);
      SSLSocket wrapped = (SSLSocket) tls.createSocket(socket, host, port, true);
      if (checksNames) {
        SSLParameters parameters = wrapped.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        wrapped.setSSLParameters(parameters);
      }
      wrapped.startHandshake();
      return new HttpConnection(origin, wrapped);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static Proxy proxy(URI origin) {
    ProxySelector selector = ProxySelector.getDefault();
    List<Proxy> proxies = selector == null ? List.of() : selector.select(origin);
    return proxies.isEmpty() ? Proxy.NO_PROXY : proxies.getFirst();
  }

  private static String host(URI origin) throws IOException {
    String host = origin.getHost();
    if (host == null) {
      throw new IOException(origin + " names no host.");
    }
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  URI origin() {
    return origin;
  }

  /**
   * Sends a request and reads the head of the answer.
   *
   * @param patience for every part of the answer
   */
  Answer ask(
      String method,
      String path,
      Map<String, String> headers,
      byte @Nullable [] body,
      Duration patience)
      throws IOException {
    socket.setSoTimeout((int) patience.toMillis());
    String status;
    try {
      socket.getOutputStream().write(request(method, path, headers, body));
      status = line();
    } catch (IOException e) {
      if (used && !brokenOff && !(e instanceof java.net.SocketTimeoutException)) {
        throw new StaleException("The kept connection is closed.", e);
      }
      throw e;
    }
    used = true;
    if (!STATUS.matcher(status).matches()) {
      throw new IOException("not an answer of HTTP/1.1: " + status);
    }
    int code = Integer.parseInt(status.substring(9, 12));
    Map<String, String> answered = headers();
    reusable = !answered.getOrDefault("Connection", "").equalsIgnoreCase("close");
    return new Answer(code, answered, body(code, answered));
  }

  private byte[] request(
      String method, String path, Map<String, String> headers, byte @Nullable [] body) {
    StringBuilder head = new StringBuilder(256);
    head.append(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: ");
    head.append(origin.getRawAuthority()).append("\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (body != null) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    byte[] first = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    if (body == null) {
      return first;
    }
    byte[] whole = new byte[first.length + body.length];
    System.arraycopy(first, 0, whole, 0, first.length);
    System.arraycopy(body, 0, whole, first.length, body.length);
    return whole;
  }

  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int bytes = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      bytes += line.length();
      int colon = line.indexOf(':');
      if (colon <= 0 || bytes > LONGEST_HEAD_BYTES) {
        throw new IOException("not the head of an answer");
      }
      headers.merge(
          line.substring(0, colon), line.substring(colon + 1).strip(), (a, b) -> a + "," + b);
    }
    return headers;
  }

  private InputStream body(int status, Map<String, String> headers) throws IOException {
    if (status == 204 || status == 304) {
      return new FixedBody(in, 0);
    }
    String coding = headers.getOrDefault("Transfer-Encoding", "").toLowerCase(Locale.ROOT);
    if (coding.equals("chunked")) {
      return new ChunkedBody(in);
    }
    try {
      return new FixedBody(in, Long.parseLong(headers.getOrDefault("Content-Length", "")));
    } catch (NumberFormatException e) {
      throw new IOException("an answer without a length", e);
    }
  }

  private String line() throws IOException {
    return line(in);
  }

  static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("The connection was closed.");
      }
      if (line.length() > LONGEST_HEAD_BYTES) {
        throw new IOException("a line without an end");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** Whether another request may follow once the answer is read. */
  boolean isReusable() {
    return reusable;
  }

  /** Has whoever waits for an answer wait no longer; it does not count as closed by the server. */
  void breakOff() {
    brokenOff = true;
    close();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      return; // it is of no use any more either way
    }
  }
}
