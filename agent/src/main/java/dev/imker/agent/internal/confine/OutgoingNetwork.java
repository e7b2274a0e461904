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
import java.net.NetworkInterface;
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
 * slirp4netns; for root where there is neither, through a pair of virtual interfaces whose packets
 * the machine forwards. Services on the machine's loopback and its abstract sockets do not exist
 * there, under root none of the machine's at all, and nobody reaches the task from outside.
 *
 * <p>The first process enters the namespace, waits until there is a route, and becomes the command;
 * its child carries the packets from outside, and is killed with its process group. A pair of
 * interfaces goes with its namespace, whatever becomes of the agent; the rules stay for the next
 * task, and concern no other interfaces.
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
          */ip)
            nft list table inet imker_tasks || exit
            n=$((me % 16000)) tries=0
            until $carrier link add imk$n type veth peer name eth0 netns $me; do
              n=$(((n + 1) % 16000)) tries=$((tries + 1))
              [ $tries -lt 100 ] || exit
            done
            net=198.18.$((n / 64)) last=$((n % 64 * 4))
            $carrier addr add $net.$((last + 1))/30 dev imk$n
            $carrier link set imk$n up
            printf '%s\\n' "link set lo up" "addr add $net.$((last + 2))/30 dev eth0" \\
              "link set eth0 up" "route add default via $net.$((last + 1))" |
              nsenter -t $me -n $carrier -batch - ;;
          *)
            if [ -z "$user" ]; then
              ip -o -4 addr show scope global >/dev/null || exit
              ip -o -4 addr show scope global | while read -r _ _ _ address _; do
                nsenter -t $me -n ip route replace unreachable ${address%%/*} || exit
              done || exit
            fi
            exec $carrier --configure --mtu=65520 --disable-host-loopback $me tap0 ;;
        esac
      ) </dev/null >/dev/null 2>&1 3<&- 4<&- 5<&- 6<&- &
      exec $unshare $user --net -- $shell -c '
        PATH=/usr/sbin:/usr/bin:/sbin:/bin
        until sed 1d /proc/net/route | grep -qv "^[*]" ||
          grep -qs "^0\\{32\\} 00 .* [^l ][^ ]*$" /proc/net/ipv6_route; do
          [ $((looks = $1 - 1)) -gt 0 ] || { echo "The network did not come up." >&2; exit 125; }
          shift; set -- $looks "$@"; sleep 0.02
        done
        shift; exec "$@"' $shell $looks "$@"
      """;

  /**
   * Tasks can only send to other machines, under the machine's own address; not to the machine
   * itself or to other tasks, and nobody can connect to them.
   */
  private static final String RULES =
      """
      add table inet imker_tasks
      delete table inet imker_tasks
      table inet imker_tasks {
        chain input {
          type filter hook input priority -10; policy accept;
          iifname "imk*" drop
        }
        chain forward {
          type filter hook forward priority -10; policy accept;
          oifname "imk*" ct state established,related accept
          oifname "imk*" drop
          iifname "imk*" meta nfproto ipv6 drop
          iifname "imk*" ip saddr != 198.18.0.0/15 drop
        }
        chain postrouting {
          type nat hook postrouting priority 100; policy accept;
          ip saddr 198.18.0.0/15 masquerade
        }
      }
      """;

  private static final Path FORWARDS = Path.of("/proc/sys/net/ipv4/ip_forward");
  private static final Path UPSTREAM_RESOLVERS = Path.of("/run/systemd/resolve/resolv.conf");
  private static final Map<Path, String> TRIED = new ConcurrentHashMap<>();

  private final Path carrier;
  private final Path unshare;
  private final List<String> where;
  private final int looks;

  private OutgoingNetwork(Path carrier, Path unshare, List<String> where) {
    this(carrier, unshare, where, LOOKS);
  }

  /**
   * @param where prefix of a command that runs it on the machine; empty except in tests
   * @param looks attempts to find a route before a task is given up
   */
  OutgoingNetwork(Path carrier, Path unshare, List<String> where, int looks) {
    this.looks = looks;
    this.carrier = carrier;
    this.unshare = unshare;
    this.where = where;
  }

  /** The result: a network, or the reason why there is none. */
  record Attempt(Optional<OutgoingNetwork> network, String reason) {}

  static Attempt find(Programs programs) {
    Optional<Path> unshare = programs.find("unshare").map(Path::toAbsolutePath);
    if (unshare.isEmpty()) {
      return new Attempt(Optional.empty(), "unshare is missing");
    }
    Attempt carried = carried(programs, unshare.get());
    if (carried.network.isPresent() || !TaskUser.isRoot()) {
      return carried;
    }
    Attempt forwarded = forwarded(unshare.get(), List.of());
    return forwarded.network.isPresent()
        ? forwarded
        : new Attempt(Optional.empty(), carried.reason + ", and " + forwarded.reason);
  }

  private static Attempt carried(Programs programs, Path unshare) {
    if (!Files.isWritable(TUNNEL)) {
      return new Attempt(Optional.empty(), "this user may not use " + TUNNEL);
    }
    String reason =
        TaskUser.isRoot()
            ? "slirp4netns is not installed"
            : "neither pasta nor slirp4netns is installed";
    // Under root, pasta becomes nobody and may then not enter the namespace.
    for (String name :
        TaskUser.isRoot() ? List.of("slirp4netns") : List.of("pasta", "slirp4netns")) {
      Optional<Path> carrier = programs.find(name).map(Path::toAbsolutePath);
      if (carrier.isPresent()) {
        OutgoingNetwork network = new OutgoingNetwork(carrier.get(), unshare, List.of());
        String trouble = TRIED.computeIfAbsent(carrier.get(), _ -> network.tryOut());
        if (trouble.isEmpty()) {
          return new Attempt(Optional.of(network), "");
        }
        reason = name + " does not work here: " + trouble;
      }
    }
    return new Attempt(Optional.empty(), reason);
  }

  /**
   * Through interfaces whose packets the machine forwards.
   *
   * @param where prefix of a command that runs it on the machine; empty except in tests
   */
  static Attempt forwarded(Path unshare, List<String> where) {
    Programs programs = new Programs("/usr/sbin:/usr/bin:/sbin:/bin");
    Optional<Path> ip = programs.find("ip");
    if (ip.isEmpty() || programs.find("nft").isEmpty() || programs.find("nsenter").isEmpty()) {
      return new Attempt(
          Optional.empty(),
          "ip, nft or nsenter is missing (packages iproute2, nftables, util-linux)");
    }
    OutgoingNetwork network = new OutgoingNetwork(ip.get().toAbsolutePath(), unshare, where);
    String trouble = network.open();
    return new Attempt(trouble.isEmpty() ? Optional.of(network) : Optional.empty(), trouble);
  }

  /** Why the machine does not forward packets of tasks; empty if it does now. */
  private String open() {
    try {
      // An agent must not turn a machine into a router.
      if (!ask("cat", FORWARDS.toString()).strip().equals("1")) {
        return "this machine does not forward packets (enable it with sysctl"
            + " net.ipv4.ip_forward=1)";
      }
      String said = ask("/bin/sh", "-c", "nft -f - 2>&1 <<'END' && echo done\n" + RULES + "END\n");
      if (!said.strip().endsWith("done")) {
        return "nft does not work here: " + said.strip();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
    String trouble = tryOut();
    return trouble.isEmpty() ? "" : "virtual interfaces do not work here: " + trouble;
  }

  private String ask(String... words) throws InterruptedException {
    List<String> command = new ArrayList<>(where);
    command.addAll(List.of(words));
    return Programs.ask(command);
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

  /**
   * The command in a network of its own; nothing of the task reaches the program that carries its
   * packets.
   */
  List<String> around(List<String> command) {
    return around(command, looks);
  }

  private List<String> around(List<String> command, int most) {
    List<String> words = new ArrayList<>(where);
    words.addAll(List.of("/bin/sh", "-c", ENTER, "/bin/sh", "/bin/sh", Integer.toString(most)));
    words.add(unshare.toString());
    words.add(TaskUser.isRoot() ? "" : "--user --map-current-user");
    words.add(carrier.toString());
    words.addAll(command);
    return words;
  }

  /** The list of resolvers for a task, if the machine itself is the resolver. */
  Optional<String> resolvers() {
    try {
      if (namesReachable(RESOLVERS)) {
        return Optional.empty();
      }
      if (carrier.endsWith("ip")) {
        return namesReachable(UPSTREAM_RESOLVERS)
            ? Optional.of(Files.readString(UPSTREAM_RESOLVERS))
            : Optional.empty();
      }
      return Optional.of(
          "nameserver " + (carrier.endsWith("pasta") ? "169.254.1.53" : "10.0.2.3") + "\n");
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty(); // a machine without resolvers, or with one that has a zone
    }
  }

  static boolean namesReachable(Path resolvers) throws IOException {
    for (String line : Files.readAllLines(resolvers)) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length > 1
          && words[0].equals("nameserver")
          && !isOfMachine(InetAddress.ofLiteral(words[1]))) {
        return true;
      }
    }
    return false;
  }

  /** Of 127.0.0.0/8 only one address belongs to an interface; all lead to the machine. */
  private static boolean isOfMachine(InetAddress address) throws IOException {
    return address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || NetworkInterface.getByInetAddress(address) != null;
  }

  String inWords() {
    return carrier.endsWith("ip")
        ? "network through virtual interfaces"
        : "network through " + carrier.getFileName();
  }
}
