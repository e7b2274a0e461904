package dev.imker.server;

import dev.imker.coord.CoordinationException;
import dev.imker.coord.Leadership;
import dev.imker.coord.PostgresLeadership;
import dev.imker.coord.ZooKeeperLeadership;
import dev.imker.model.ImkerException;
import dev.imker.server.loop.SchedulerLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This server among the servers of its pool: which one leads, and where they are. */
final class PoolServers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PoolServers.class);
  private static final long LOOK_MILLIS = 250;
  private static final int LOOKS_PER_RELOAD = 8;

  private final List<String> own;
  private final SchedulerLoop loop;
  private final Runnable followed;
  private final Thread looking = Thread.ofVirtual().name("imker-servers").unstarted(this::look);
  private final Leadership leadership;
  private volatile Optional<String> leader = Optional.empty();
  private volatile List<String> all;

  /**
   * @param own where this server can be reached
   * @param followed called again and again while another server leads
   */
  PoolServers(SharedPool shared, List<String> own, SchedulerLoop loop, Runnable followed) {
    this.own = own;
    this.loop = loop;
    this.followed = followed;
    all = own;
    String title = String.join(",", own);
    leadership =
        shared.zookeeper().isEmpty()
            ? new PostgresLeadership(shared.database(), title, shared.lease())
            : new ZooKeeperLeadership(shared.zookeeper(), shared.lease().sessionMillis(), title);
  }

  void start() {
    try {
      leadership.start(listener());
    } catch (CoordinationException e) {
      throw new ImkerException(e.getMessage() + " Start again when it can be reached.", e);
    }
    looking.start();
  }

  private Leadership.Listener listener() {
    return new Leadership.Listener() {
      @Override
      public void lead() {
        loop.lead();
      }

      @Override
      public void follow(String reason) {
        LOG.warn("This server does not lead any more: {}", reason);
        loop.follow();
      }
    };
  }

  void stepDown() {
    leadership.stepDown("another server has begun an epoch");
  }

  private void look() {
    try {
      for (int round = 0; !Thread.currentThread().isInterrupted(); round++) {
        lookOnce();
        if (round % LOOKS_PER_RELOAD == 0 && !loop.isLeading()) {
          reload();
        }
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("No longer looking for other servers");
    }
  }

  private void reload() {
    try {
      followed.run();
    } catch (ImkerException e) {
      LOG.debug("What another server has changed cannot be read: {}", e.getMessage());
    }
  }

  private void lookOnce() {
    Optional<String> found = leadership.leader();
    Set<String> addresses = new LinkedHashSet<>();
    found.ifPresent(title -> addresses.addAll(split(title)));
    leadership.successors().forEach(title -> addresses.addAll(split(title)));
    addresses.addAll(own);
    if (found.isPresent()) {
      all = List.copyOf(addresses);
    }
    leader = found.map(title -> split(title).getFirst());
  }

  private static List<String> split(String title) {
    return Arrays.asList(title.split(","));
  }

  boolean leads() {
    return loop.isLeading();
  }

  /** Address of another server that leads. */
  Optional<String> leader() {
    return leader.filter(address -> !own.contains(address));
  }

  /** Addresses of all servers, those of the leader first. */
  List<String> urls() {
    return new ArrayList<>(all);
  }

  @Override
  public void close() {
    looking.interrupt();
    leadership.close();
  }
}
