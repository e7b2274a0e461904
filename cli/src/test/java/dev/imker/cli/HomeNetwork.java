package dev.imker.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Three machines made of network namespaces: a server with a public address, a home behind a router
 * that translates addresses, and the router. Nothing outside has a route into the home.
 */
final class HomeNetwork implements AutoCloseable {
  static final String SERVER_ADDRESS = "203.0.113.1";
  private static final String HOME_ADDRESS = "192.168.77.2";

  private final String server = name("s");
  private final String router = name("r");
  private final String home = name("h");

  private static String name(String part) {
    return "imker-" + part + "-" + ProcessHandle.current().pid();
  }

  private HomeNetwork() {}

  /** Empty, saying why, where this is not permitted. */
  static Optional<HomeNetwork> build() {
    HomeNetwork network = new HomeNetwork();
    try {
      network.setUp();
      return Optional.of(network);
    } catch (IOException e) {
      System.out.println("No network namespaces here: " + e.getMessage());
      network.close();
      return Optional.empty();
    }
  }

  private void setUp() throws IOException {
    for (String namespace : List.of(server, router, home)) {
      run("ip", "netns", "add", namespace);
      run("ip", "-n", namespace, "link", "set", "lo", "up");
    }
    connect(server, "s0", SERVER_ADDRESS, router, "r0", "203.0.113.2");
    connect(home, "h0", HOME_ADDRESS, router, "r1", "192.168.77.1");
    run("ip", "-n", home, "route", "add", "default", "via", "192.168.77.1");
    in(router, "sysctl", "-qw", "net.ipv4.ip_forward=1");
    in(router, "nft", "add", "table", "ip", "nat");
    in(router, "nft", "add chain ip nat post { type nat hook postrouting priority 100 ; }");
    in(router, "nft", "add rule ip nat post oifname r0 masquerade");
  }

  private static void connect(
      String one, String device, String address, String other, String peer, String peerAddress)
      throws IOException {
    run(
        "ip", "link", "add", device, "netns", one, "type", "veth", "peer", "name", peer, "netns",
        other);
    run("ip", "-n", one, "addr", "add", address + "/24", "dev", device);
    run("ip", "-n", one, "link", "set", device, "up");
    run("ip", "-n", other, "addr", "add", peerAddress + "/24", "dev", peer);
    run("ip", "-n", other, "link", "set", peer, "up");
  }

  /** What to put in front of a command to run it on the server's machine. */
  List<String> onServer() {
    return List.of("ip", "netns", "exec", server);
  }

  /** On the router, which is in the server's network too. */
  List<String> besideServer() {
    return List.of("ip", "netns", "exec", router);
  }

  List<String> atHome() {
    return List.of("ip", "netns", "exec", home);
  }

  /** Whether the server knows any way to the home. */
  boolean hasWayIn() {
    try {
      run("ip", "-n", server, "route", "get", HOME_ADDRESS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Pulls the home's plug, or puts it in again. */
  void plug(boolean in) throws IOException {
    run("ip", "-n", home, "link", "set", "h0", in ? "up" : "down");
    if (in) {
      run("ip", "-n", home, "route", "replace", "default", "via", "192.168.77.1");
    }
  }

  private static void in(String namespace, String... command) throws IOException {
    List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
    all.addAll(List.of(command));
    run(all.toArray(String[]::new));
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String answer =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(String.join(" ", command) + ": " + answer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    for (String namespace : List.of(server, router, home)) {
      try {
        run("ip", "netns", "del", namespace);
      } catch (IOException e) {
        System.out.println("left behind: " + namespace);
      }
    }
  }
}
