package dev.imker.server.members;

import dev.imker.coord.CoordinationException;
import dev.imker.coord.Leadership;
import dev.imker.coord.PostgresLeadership;
import dev.imker.coord.ServerRegister;
import dev.imker.coord.ZooKeeperLeadership;
import dev.imker.model.ImkerException;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.pulse.LoopHealth;
import dev.imker.store.postgres.PostgresHosts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This server among the servers of its pool: which one leads, and where they are. */
final class PoolServers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PoolServers.class);
  private static final long LOOK_MILLIS = 250;
  private static final int LOOKS_PER_RELOAD = 8;
  private static final long WATCH_MILLIS = 500;

  private final List<String> own;
  private final SchedulerLoop loop;
  private final Consumer<List<String>> changed;
  private final Runnable followed;
  private final Runnable deposed;
  private final Thread looking = Thread.ofVirtual().name("imker-servers").unstarted(this::look);
  private final Thread watching = Thread.ofVirtual().name("imker-watch").unstarted(this::watch);
  private final Leadership leadership;
  private final ServerBeat beat;
  private volatile boolean entitled;
  private final long patienceMillis;
  private volatile Optional<String> leader = Optional.empty();
  private volatile List<String> all;

  /**
   * @param own where this server can be reached
   * @param changed told the addresses of all servers when they are others than before
   * @param followed called again and again while another server leads
   * @param deposed called when this server does not lead any more
   */
  PoolServers(
      SharedPool shared,
      List<String> own,
      SchedulerLoop loop,
      Consumer<List<String>> changed,
      Runnable followed,
      Runnable deposed) {
    this.own = own;
    this.loop = loop;
    this.changed = changed;
    this.followed = followed;
    this.deposed = deposed;
    all = own;
    patienceMillis = shared.lease().leaseMillis();
    String title = String.join(",", own);
    beat = new ServerBeat(shared, title, loop, this::leaveLeading);
    leadership =
        shared.zookeeper().isEmpty()
            ? new PostgresLeadership(
                PostgresHosts.of(shared.database())::connect,
                title,
                shared.lease(),
                () -> !beat.isDrained())
            : new ZooKeeperLeadership(
                shared.zookeeper(), shared.lease().sessionMillis(), title, beat::isAble);
  }

  void start() {
    beat.start();
    try {
      leadership.start(listener());
    } catch (CoordinationException e) {
      throw new ImkerException(
          e.getMessage() + " Start the server again when the database is reachable.", e);
    }
    looking.start();
    watching.start();
  }

  /** Who does nothing must not lead, however well its connections are. */
  private void watch() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        LoopHealth health = loop.health();
        if (health.leading() && health.standsStill(patienceMillis)) {
          leadership.stepDown(
              "its scheduler has been stuck in one turn for %,d ms".formatted(health.busyMillis()));
        }
        Thread.sleep(WATCH_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("The scheduler is no longer watched");
    }
  }

  private Leadership.Listener listener() {
    return new Leadership.Listener() {
      @Override
      public void lead() {
        entitled = true;
        loop.lead();
      }

      @Override
      public void follow(String reason) {
        LOG.warn("This server no longer leads: {}", reason);
        entitled = false;
        deposed.run();
        loop.follow();
      }
    };
  }

  /** ZooKeeper knows nothing of the database, without which this server leads nothing. */
  private void leaveLeading() {
    if (entitled) {
      leadership.stepDown(
          beat.isDrained()
              ? "it is drained"
              : "the database could not be reached for longer than a lease");
    }
  }

  boolean reachesDatabase() {
    return beat.reachesDatabase();
  }

  int runningServers() {
    return beat.runningServers();
  }

  long longestSilenceSeconds() {
    return beat.longestSilenceSeconds();
  }

  /** All servers of the pool, the leader first. */
  List<ServerRegister.Entry> register() {
    return beat.all();
  }

  /** False if there is no server of that address. */
  boolean drain(String url, boolean drained) {
    return beat.drain(url, drained);
  }

  void stepDown() {
    leadership.stepDown("another server has started a new epoch");
  }

  private void look() {
    try {
      for (int round = 0; !Thread.currentThread().isInterrupted(); round++) {
        try {
          lookOnce();
          if (round % LOOKS_PER_RELOAD == 0 && !loop.isLeading()) {
            reload();
          }
        } catch (RuntimeException e) {
          LOG.warn("Could not check the other servers; trying again", e);
        }
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("No longer checking the other servers");
    }
  }

  private void reload() {
    // What is read now and then is in the memory of the database and of this process when it
    // counts.
    var _ = loop.ask(PoolState::epoch);
    try {
      followed.run();
    } catch (ImkerException e) {
      LOG.debug("Cannot read what another server changed: {}", e.getMessage());
    }
  }

  private void lookOnce() {
    Optional<String> found = leadership.leader();
    List<List<String>> servers = new ArrayList<>();
    found.ifPresent(title -> servers.add(split(title)));
    leadership.successors().forEach(title -> servers.add(split(title)));
    servers.add(own);
    Optional<String> now = found.map(title -> split(title).getFirst());
    if (now.isPresent() && !now.equals(leader)) {
      LOG.info("The server at {} leads the pool", now.get());
    }
    leader = now;
    List<String> addresses = inTurn(servers);
    if (found.isPresent() && !addresses.equals(all)) {
      all = addresses;
      changed.accept(addresses);
    }
  }

  /**
   * The first address of each server, then the second of each: whoever lost one server and tries
   * the next address is to meet another one.
   */
  static List<String> inTurn(List<List<String>> servers) {
    Set<String> addresses = new LinkedHashSet<>();
    int most = servers.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < most; i++) {
      for (List<String> server : servers) {
        if (i < server.size()) {
          addresses.add(server.get(i));
        }
      }
    }
    return List.copyOf(addresses);
  }

  private static List<String> split(String title) {
    return Arrays.asList(title.split(","));
  }

  /** A loop whose database is away may take a while to notice that it does not lead any more. */
  boolean leads() {
    return entitled && loop.isLeading();
  }

  /** Address of another server that leads. */
  Optional<String> leader() {
    return leader.filter(address -> !own.contains(address));
  }

  /** Addresses of all servers in turn, the leader's first. */
  List<String> urls() {
    return new ArrayList<>(all);
  }

  @Override
  public void close() {
    watching.interrupt();
    looking.interrupt();
    leadership.close();
    beat.close();
  }
}
