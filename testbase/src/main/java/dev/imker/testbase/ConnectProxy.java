package dev.imker.testbase;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A small HTTP proxy that knows CONNECT and nothing else; every name leads to this machine. */
public final class ConnectProxy implements AutoCloseable {
  private final ServerSocket server;
  private final List<String> asked = new CopyOnWriteArrayList<>();

  public ConnectProxy() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  /** The targets that somebody wanted to be connected to. */
  public List<String> asked() {
    return asked;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        Thread.startVirtualThread(() -> serve(client));
      }
    } catch (IOException e) {
      return; // closed
    }
  }

  private void serve(Socket client) {
    try (client) {
      String request = line(client.getInputStream());
      String rest = line(client.getInputStream());
      while (!rest.isEmpty()) {
        rest = line(client.getInputStream());
      }
      String[] words = request.split(" ", -1);
      if (!words[0].equals("CONNECT")) {
        write(client, "HTTP/1.1 405 Only CONNECT\r\n\r\n");
        return;
      }
      asked.add(words[1]);
      int port = Integer.parseInt(words[1].substring(words[1].lastIndexOf(':') + 1));
      try (Socket target = new Socket(InetAddress.getLoopbackAddress(), port)) {
        write(client, "HTTP/1.1 200 Connected\r\n\r\n");
        Thread back = Thread.startVirtualThread(() -> copy(target, client));
        copy(client, target);
        back.join();
      }
    } catch (IOException e) {
      return; // one side is gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      return; // one side is gone
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
