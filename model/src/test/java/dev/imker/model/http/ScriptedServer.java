package dev.imker.model.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A socket that says exactly what a test wants, byte by byte. */
final class ScriptedServer implements AutoCloseable {
  /** Ends a text after which the connection is closed. */
  static final String CUT = "\u0000";

  private final ServerSocket socket;
  private final String scheme;
  private final Map<String, Queue<String>> scripts = new ConcurrentHashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final CountDownLatch go = new CountDownLatch(1);

  /** Takes requests and says nothing, as a process that is stopped. */
  volatile boolean hangs;

  /** What the probe is told. */
  volatile String pool = answer(200, "{}");

  ScriptedServer() throws IOException {
    this(null);
  }

  ScriptedServer(@Nullable SSLContext tls) throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    socket =
        tls == null
            ? new ServerSocket(0, 50, here)
            : tls.getServerSocketFactory().createServerSocket(0, 50, here);
    scheme = tls == null ? "http" : "https";
    Thread.ofVirtual().start(this::accept);
  }

  URI url() {
    return URI.create(scheme + "://127.0.0.1:" + socket.getLocalPort());
  }

  /** What is said to requests for a path, one after the other; the last of it for ever. */
  ScriptedServer says(String path, String... texts) {
    scripts.put(path, new ConcurrentLinkedQueue<>(List.of(texts)));
    return this;
  }

  /** Method, path and number of the connection of each request but those of the probe. */
  List<String> asked() {
    return asked;
  }

  /** Has texts go on after "…". */
  void goOn() {
    go.countDown();
  }

  static String answer(int status, String body, String... headers) {
    StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " Said\r\n");
    for (String header : headers) {
      text.append(header).append("\r\n");
    }
    return text + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = socket.accept();
        open.add(connection);
        int number = open.size();
        Thread.ofVirtual().start(() -> serve(connection, number));
      }
    } catch (IOException e) {
      return; // closed
    }
  }

  private void serve(Socket connection, int number) {
    try (connection) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(connection.getInputStream(), US_ASCII));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", -1);
        int length = 0;
        for (String header = in.readLine(); !header.isEmpty(); header = in.readLine()) {
          length =
              header.startsWith("Content-Length: ")
                  ? Integer.parseInt(header.substring("Content-Length: ".length()))
                  : length;
        }
        char[] body = new char[length];
        for (int read = 0; read < length; ) {
          read += in.read(body, read, length - read);
        }
        if (!answer(connection, words, number)) {
          return;
        }
      }
    } catch (IOException | RuntimeException e) {
      return; // the other side has enough
    }
  }

  private boolean answer(Socket connection, String[] words, int number) throws IOException {
    if (words[1].equals("/api/v1/pool")) {
      return hangs || write(connection, pool);
    }
    asked.add(words[0] + " " + words[1] + " " + number);
    if (hangs) {
      return true;
    }
    Queue<String> script = scripts.getOrDefault(words[1], new ConcurrentLinkedQueue<>());
    String text = script.size() > 1 ? script.remove() : script.element();
    return write(connection, text);
  }

  private boolean write(Socket connection, String text) throws IOException {
    OutputStream out = connection.getOutputStream();
    String[] parts = text.replace(CUT, "").split("…", -1);
    for (int i = 0; i < parts.length; i++) {
      if (i > 0) {
        awaitGo();
      }
      out.write(parts[i].getBytes(US_ASCII));
      out.flush();
    }
    return !text.endsWith(CUT);
  }

  private void awaitGo() throws IOException {
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket connection : open) {
      connection.close();
    }
  }
}
