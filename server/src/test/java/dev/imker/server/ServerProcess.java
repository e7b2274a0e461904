package dev.imker.server;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A server in a process of its own, so that it can be killed. */
public final class ServerProcess {
  private static final String READY = "ready ";
  private final Process process;
  private final List<String> words;

  private ServerProcess(Process process, List<String> words) {
    this.process = process;
    this.words = words;
  }

  /** The child: a server that says how to reach it, and then serves until it is killed. */
  public static void main(String[] arguments) throws InterruptedException {
    ServerSettings settings =
        TestServer.settings(Path.of(arguments[0])).withPort(Integer.parseInt(arguments[1]));
    RunningServer server = ImkerServer.start(settings);
    System.out.println(
        READY + server.port() + " " + server.adminToken() + " " + server.joinToken());
    Thread.currentThread().join();
  }

  public static ServerProcess start(Path folder, int port) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ServerProcess.class.getName(),
                folder.toString(),
                Integer.toString(port))
            .redirectError(new File(folder.toFile(), "child.log"))
            .start();
    var lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(READY)) {
        return new ServerProcess(process, List.of(line.substring(READY.length()).split(" ", -1)));
      }
    }
    throw new IllegalStateException("the server did not start; see " + folder + "/child.log");
  }

  public int port() {
    return Integer.parseInt(words.get(0));
  }

  public Rest admin() {
    return new Rest(URI.create("http://127.0.0.1:" + port()), words.get(1));
  }

  public String joinToken() {
    return words.get(2);
  }

  /** Like kill -9. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
