package dev.imker.bench.peers.queue;

import dev.imker.bench.peers.Peer;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Applications with a library for background jobs on one database. The last one gets the orders.
 */
public final class QueuePeer implements Peer {
  private record Host(Process process, BufferedWriter orders, BufferedReader answers) {
    String ask(String order) throws IOException {
      orders.write(order + "\n");
      orders.flush();
      return answer();
    }

    String answer() throws IOException {
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        if (line.startsWith(QueueHost.ANSWER)) {
          return line.substring(QueueHost.ANSWER.length());
        }
      }
      throw new IOException("the process has ended");
    }
  }

  private final Library library;
  private final String url;
  private final Deque<Host> hosts = new ArrayDeque<>();

  public QueuePeer(Library library, String url) throws IOException {
    this.library = library;
    this.url = url;
    addWorker();
  }

  @Override
  public String name() {
    return library.title();
  }

  @Override
  public String settings() {
    return library.settings();
  }

  @Override
  public double seconds(int count) throws IOException {
    return Long.parseLong(hosts.getLast().ask("run " + count)) / 1e9;
  }

  @Override
  public List<Long> processes() {
    return hosts.stream().map(host -> host.process.pid()).toList();
  }

  @Override
  public void beginEndless(Path file) throws IOException {
    var _ = hosts.getLast().ask("endless " + file);
  }

  @Override
  public void addWorker() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                QueueHost.class.getName(),
                library.name(),
                url)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Host host =
        new Host(
            process,
            new BufferedWriter(
                new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8)),
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
    var _ = host.answer();
    hosts.addLast(host);
  }

  @Override
  public void killFirstWorker() throws InterruptedException {
    hosts.removeFirst().process.destroyForcibly().waitFor();
  }

  /** There is no server but the application itself. */
  @Override
  public void killAndRestartServer() throws IOException, InterruptedException {
    killFirstWorker();
    addWorker();
  }

  @Override
  public void close() {
    hosts.forEach(host -> host.process.destroyForcibly());
  }
}
