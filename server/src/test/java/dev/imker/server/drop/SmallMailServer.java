package dev.imker.server.drop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A mail server that takes no large mails, and of some addresses none at all. */
final class SmallMailServer implements AutoCloseable {
  private final ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  private final int maxChars;
  private final String refusedSender;
  private final List<String> taken = new CopyOnWriteArrayList<>();

  SmallMailServer(int maxChars, String refusedSender) throws IOException {
    this.maxChars = maxChars;
    this.refusedSender = refusedSender;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  List<String> taken() {
    return taken;
  }

  private void accept() {
    try {
      while (true) {
        try (Socket caller = listening.accept()) {
          talk(caller);
        }
      }
    } catch (IOException e) {
      return; // closed
    }
  }

  private void talk(Socket caller) throws IOException {
    PrintWriter out = new PrintWriter(caller.getOutputStream(), true, StandardCharsets.ISO_8859_1);
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(caller.getInputStream(), StandardCharsets.ISO_8859_1));
    out.print("220 small\r\n");
    out.flush();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String answer = "250 ok";
      if (line.startsWith("EHLO")) {
        answer = "250-small\r\n250 AUTH PLAIN";
      } else if (line.startsWith("AUTH")) {
        answer = "235 ok";
      } else if (line.startsWith("MAIL FROM") && line.contains(refusedSender)) {
        answer = "553 not your address";
      } else if (line.startsWith("DATA")) {
        out.print("354 go on\r\n");
        out.flush();
        String mail = data(in);
        answer = mail.length() > maxChars ? "552 5.3.4 too large for me" : answer;
        if (mail.length() <= maxChars) {
          taken.add(mail);
        }
      } else if (line.startsWith("QUIT")) {
        answer = "221 bye";
      }
      out.print(answer + "\r\n");
      out.flush();
    }
  }

  private static String data(BufferedReader in) throws IOException {
    StringBuilder mail = new StringBuilder();
    for (String line = in.readLine(); line != null && !line.equals("."); line = in.readLine()) {
      mail.append(line).append('\n');
    }
    return mail.toString();
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
