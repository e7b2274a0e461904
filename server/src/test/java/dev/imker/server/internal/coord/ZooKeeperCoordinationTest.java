package dev.imker.server.internal.coord;

import dev.imker.coord.tasks.Member;
import dev.imker.coord.tasks.TaskCoordination;
import dev.imker.coord.tasks.ZooKeeperCoordination;
import dev.imker.model.shared.SharedKind;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On a real ZooKeeper. */
class ZooKeeperCoordinationTest extends TaskCoordinationContract {
  private static final AtomicInteger SCOPES = new AtomicInteger();
  private static final Set<Member> GONE = ConcurrentHashMap.newKeySet();
  private static TestingServer zookeeper;
  private static TaskCoordination all;

  private final String scope = Integer.toString(SCOPES.incrementAndGet());

  @BeforeAll
  static void start() throws Exception {
    zookeeper = new TestingServer(true);
    all =
        new ZooKeeperCoordination(
            zookeeper.getConnectString(), member -> !GONE.contains(member), 3);
  }

  @AfterAll
  static void stop() throws Exception {
    all.close();
    zookeeper.close();
  }

  @Override
  TaskCoordination all() {
    return all;
  }

  @Override
  String scope() {
    return scope;
  }

  @Override
  Member member(int number) {
    return new Member(scope + "." + number, scope + "-" + number + "-77");
  }

  @Override
  void end(Member member) {
    GONE.add(member);
  }

  @Override
  String place(SharedKind kind, String name) {
    return String.join("/", "/imker/tasks", scope, kind.name().toLowerCase(Locale.ROOT), name);
  }
}
