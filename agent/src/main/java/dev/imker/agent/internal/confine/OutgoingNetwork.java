package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.ProcessExecutor;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.system.StartFailedException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A network namespace for each task that may use the network, with a way out through pasta or
 * slirp4netns. Services on the machine's loopback and its abstract sockets do not exist there, and
 * nobody reaches the task from outside.
 *
 * <p>The first process enters the namespace, waits until there is a route, and becomes the command;
 * its child carries the packets from outside, and is killed with its process group.
 */
final class OutgoingNetwork {
  private static final Path TUNNEL = Path.of("/dev/net/tun");
  private static final Path RESOLVERS = Path.of("/etc/resolv.conf");
  private static final long TRIAL_SECONDS = 20;

  /** Attempts to see a route, one every 20 ms. */
  private static final int LOOKS = 500;

  private static final int TRIAL_LOOKS = 100;

  private static final String ENTER =
      """
      PATH=/usr/sbin:/usr/bin:/sbin:/bin
      me=$$ shell=$1 looks=$2 unshare=$3 user=$4 carrier=$5
      shift 5
      (
        own=$(readlink /proc/self/ns/net)
        until [ "$(readlink /proc/$me/ns/net)" != "$own" ]; do sleep 0.01; done
        case $carrier in
          */pasta) exec $carrier --foreground --quiet --config-net --no-map-gw -t none -u none \\
            -T none -U none --dns-forward 169.254.1.53 $me ;;
          *) exec $carrier --configure --mtu=65520 --disable-host-loopback $me tap0 ;;
        esac
      ) </dev/null >/dev/null 2>&1 3<&- 4<&- 5<&- 6<&- &
      exec $unshare $user --net -- $shell -c '
        PATH=/usr/sbin:/usr/bin:/sbin:/bin
        until [ $(wc -l </proc/net/route) -gt 1 ] ||
          grep -qs "^0\\{32\\} 00 .* [^l ][^ ]*$" /proc/net/ipv6_route; do
          [ $((looks = $1 - 1)) -gt 0 ] || { echo "The network did not come up." >&2; exit 125; }
          shift; set -- $looks "$@"; sleep 0.02
        done
        shift; exec "$@"' $shell $looks "$@"
      """;

  private static final Map<Path, String> TRIED = new ConcurrentHashMap<>();

  private final Path carrier;
  private final Path unshare;

  private OutgoingNetwork(Path carrier, Path unshare) {
    this.carrier = carrier;
    this.unshare = unshare;
  }

  /** What came of looking for one: a network, or the reason why there is none. */
  record Attempt(Optional<OutgoingNetwork> network, String reason) {}

  static Attempt find(Programs programs) {
    Optional<Path> unshare = programs.find("unshare").map(Path::toAbsolutePath);
    if (unshare.isEmpty()) {
      return new Attempt(Optional.empty(), "there is no program unshare");
    }
    if (!Files.isWritable(TUNNEL)) {
      return new Attempt(Optional.empty(), "this user may not use " + TUNNEL);
    }
    String reason = "neither pasta nor slirp4netns is installed";
    // Under root, pasta becomes nobody and may then not enter the namespace.
    for (String name :
        TaskUser.isRoot() ? List.of("slirp4netns") : List.of("pasta", "slirp4netns")) {
      Optional<Path> carrier = programs.find(name).map(Path::toAbsolutePath);
      if (carrier.isPresent()) {
        OutgoingNetwork network = new OutgoingNetwork(carrier.get(), unshare.get());
        String trouble = TRIED.computeIfAbsent(carrier.get(), _ -> network.tryOut());
        if (trouble.isEmpty()) {
          return new Attempt(Optional.of(network), "");
        }
        reason = name + " does not work here: " + trouble;
      }
    }
    return new Attempt(Optional.empty(), reason);
  }

  private String tryOut() {
    try {
      Path scratch = Files.createTempDirectory("imker-network");
      Path err = scratch.resolve("err");
      try {
        ProcessSpec spec =
            new ProcessSpec(
                around(List.of("/bin/true"), TRIAL_LOOKS),
                Map.of(),
                Path.of("/"),
                scratch.resolve("out"),
                err,
                ProcessPriority.NORMAL);
        CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
        ProcessExecutor.best().start(spec, exit::complete);
        int code = exit.get(TRIAL_SECONDS, TimeUnit.SECONDS).exitCode();
        String words = Files.readString(err).strip();
        return code == 0 ? "" : words.isEmpty() ? "exit code " + code : words;
      } finally {
        dev.imker.agent.internal.work.WorkArea.deleteTree(scratch);
      }
    } catch (IOException | StartFailedException | ExecutionException | TimeoutException e) {
      return String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /** The command, in a network of its own; nothing of the task reaches what carries its packets. */
  List<String> around(List<String> command) {
    return around(command, LOOKS);
  }

  private List<String> around(List<String> command, int looks) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("/bin/sh", "-c", ENTER, "/bin/sh", "/bin/sh", Integer.toString(looks)));
    words.add(unshare.toString());
    words.add(TaskUser.isRoot() ? "" : "--user --map-current-user");
    words.add(carrier.toString());
    words.addAll(command);
    return words;
  }

  /** What a task has to see as the list of resolvers, if the machine's are on its loopback. */
  Optional<String> resolvers() {
    try {
      boolean reachable =
          Files.readAllLines(RESOLVERS).stream()
              .map(line -> line.strip().split("\\s+"))
              .filter(words -> words.length > 1 && words[0].equals("nameserver"))
              .anyMatch(words -> !InetAddress.ofLiteral(words[1]).isLoopbackAddress());
      String own = carrier.endsWith("pasta") ? "169.254.1.53" : "10.0.2.3";
      return reachable ? Optional.empty() : Optional.of("nameserver " + own + "\n");
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty(); // a machine without resolvers, or with one that has a zone
    }
  }

  String inWords() {
    return "network through " + carrier.getFileName();
  }
}
