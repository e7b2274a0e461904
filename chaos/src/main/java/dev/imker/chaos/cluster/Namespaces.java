package dev.imker.chaos.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Every machine is a network namespace, all on one bridge. Packets are dropped by a filter where
 * they arrive, without an answer, as behind a pulled plug.
 */
final class Namespaces implements Network {
  private static final int FIRST_ADDRESS = 10;

  private final String mark = "ic" + Long.toString(ProcessHandle.current().pid() % 60_000, 36);
  private final String prefix;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  private Namespaces(String prefix) {
    this.prefix = prefix;
  }

  /** Empty if this system does not let us, which the reason tells. */
  static Optional<Network> tryMake(List<String> notes) {
    long pid = ProcessHandle.current().pid();
    Namespaces network = new Namespaces("10.%d.%d.".formatted(64 + pid / 256 % 64, pid % 256));
    String wrong = network.make();
    if (wrong.isEmpty()) {
      return Optional.of(network);
    }
    network.close();
    notes.add("partitions and packet loss, without network namespaces (" + wrong + ")");
    return Optional.empty();
  }

  private String make() {
    String wrong = Shell.tryRun("ip", "link", "add", mark, "type", "bridge");
    if (wrong.isEmpty()) {
      wrong = Shell.tryRun("ip", "address", "add", prefix + "1/24", "dev", mark);
    }
    if (wrong.isEmpty()) {
      wrong = Shell.tryRun("ip", "link", "set", mark, "up");
    }
    return wrong.isEmpty() ? probe() : wrong;
  }

  /** What goes wrong with a first machine: rights, or a missing program, may show only here. */
  private String probe() {
    try {
      add("probe");
    } catch (ChaosException e) {
      return String.valueOf(e.getMessage());
    }
    String wrong = Shell.tryRun("ping", "-c", "1", "-W", "2", address("probe"));
    return wrong.contains("Cannot run program") ? "" : wrong;
  }

  @Override
  public void add(String host) {
    int number = FIRST_ADDRESS + numbers.size();
    numbers.put(host, number);
    String space = space(host);
    String link = mark + "v" + number;
    Shell.run("ip", "netns", "add", space);
    Shell.run("ip", "link", "add", link, "type", "veth", "peer", "name", "e0", "netns", space);
    Shell.run("ip", "link", "set", link, "master", mark, "up");
    Shell.run("ip", "-n", space, "address", "add", address(host) + "/24", "dev", "e0");
    Shell.run("ip", "-n", space, "link", "set", "e0", "up");
    Shell.run("ip", "-n", space, "link", "set", "lo", "up");
    filter(host, "add", "table", "inet", "chaos");
    filter(host, "add", "chain", "inet", "chaos", "in", "{ type filter hook input priority 0 ; }");
  }

  private void filter(String host, String... words) {
    List<String> command = new ArrayList<>(on(host));
    command.add("nft");
    command.addAll(List.of(words));
    Shell.run(command.toArray(String[]::new));
  }

  private String space(String host) {
    return mark + "-" + host;
  }

  @Override
  public String address(String host) {
    return prefix + Objects.requireNonNull(numbers.get(host), host);
  }

  @Override
  public List<String> on(String host) {
    return List.of("ip", "netns", "exec", space(host));
  }

  @Override
  public boolean canBeCut() {
    return true;
  }

  @Override
  public void cut(String host, Collection<String> others) {
    for (String other : others) {
      if (!other.equals(host)) {
        drop(host, other);
        drop(other, host);
      }
    }
  }

  private void drop(String at, String from) {
    filter(at, "add", "rule", "inet", "chaos", "in", "ip", "saddr", address(from), "drop");
  }

  @Override
  public void lose(String host, int percent) {
    filter(
        host,
        "add",
        "rule",
        "inet",
        "chaos",
        "in",
        "iifname",
        "e0",
        "numgen",
        "random",
        "mod",
        "100",
        "<",
        Integer.toString(percent),
        "drop");
  }

  @Override
  public void heal() {
    numbers.keySet().forEach(host -> filter(host, "flush", "chain", "inet", "chaos", "in"));
  }

  @Override
  public void close() {
    numbers.keySet().forEach(host -> Shell.tryRun("ip", "netns", "del", space(host)));
    Shell.tryRun("ip", "link", "del", mark);
  }
}
