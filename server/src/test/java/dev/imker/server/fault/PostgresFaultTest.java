package dev.imker.server.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.imker.server.fault.PostgresLine.Cut;
import dev.imker.store.PoolStore;
import dev.imker.store.postgres.PostgresStore;
import dev.imker.testdb.TestPostgres;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.LoggerFactory;

/**
 * Every scenario with the connection to PostgreSQL lost at every exchange: before the database has
 * heard of it, or after it has done it, so that nobody knows whether it did. The server lives on,
 * or dies with the connection. A test run makes a part of them, chosen by a seed that it prints;
 * {@code -Dimker.faults=all} makes all, {@code -Dimker.point=…} one.
 */
class PostgresFaultTest {
  private static final long SECONDS = 12;

  /** Most of the time is spent in waiting for the database. */
  private static final int AT_ONCE = 6;

  private record Point(Scenario scenario, Cut cut, boolean serverDies, int exchange) {
    /** As {@code -Dimker.point=IMPORT,BEFORE,true,84}. */
    static Point parse(String text) {
      String[] words = text.split(",", -1);
      return new Point(
          Scenario.valueOf(words[0]),
          Cut.valueOf(words[1]),
          Boolean.parseBoolean(words[2]),
          Integer.parseInt(words[3]));
    }
  }

  private final long seed = Long.getLong("imker.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final BlockingQueue<String> databases = new LinkedBlockingQueue<>();
  private boolean hasty;

  private final class Database implements SteppedPool.Place {
    private final String url;
    private final PostgresLine line;

    Database(String url, PostgresLine line) {
      this.url = url;
      this.line = line;
    }

    @Override
    public PoolStore open() {
      PoolStore store = PostgresStore.open(url);
      return hasty ? HastyStore.over(store) : store;
    }

    @Override
    public boolean isDead() {
      return line.isDown();
    }

    @Override
    public void calm() {
      line.calm();
    }

    @Override
    public void revive() {
      Thread.interrupted(); // by which it died
      line.restore();
    }
  }

  /** Without it, every line of all that goes wrong on purpose would be told. */
  @BeforeEach
  void be_silent() {
    ((Logger) LoggerFactory.getLogger("dev.imker")).setLevel(Level.OFF);
    databases.add(database());
  }

  private static String database() {
    String url = TestPostgres.freshDatabase();
    PostgresStore.open(url).close();
    TestPostgres.execute(
        url,
        """
        CREATE SCHEMA kept;
        DO $$
        DECLARE
          t text;
        BEGIN
          FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
            EXECUTE format('CREATE TABLE kept.%I AS TABLE public.%I', t, t);
          END LOOP;
        END $$
        """);
    return url;
  }

  @AfterEach
  void speak_again() {
    ((Logger) LoggerFactory.getLogger("dev.imker")).setLevel(null);
  }

  private static URI uri(String url) {
    return URI.create(url.substring("jdbc:".length()));
  }

  /**
   * Puts a database back to what it was when it was made, which is much faster than to make it
   * again. Whatever a server that died has left there is ended first.
   */
  private static void restore(String url) {
    TestPostgres.execute(
        url,
        """
        SET session_replication_role = replica;
        DO $$
        DECLARE
          t text;
          used boolean;
        BEGIN
          PERFORM pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid();
          FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
            EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', t) INTO used;
            IF used THEN
              EXECUTE format('DELETE FROM public.%I', t);
            END IF;
            EXECUTE format('INSERT INTO public.%I SELECT * FROM kept.%I', t, t);
          END LOOP;
        END $$
        """);
  }

  private int play(Point point) throws Exception {
    String url = databases.take();
    try {
      restore(url);
      return play(point, url);
    } finally {
      databases.add(url);
    }
  }

  private int play(Point point, String url) throws Exception {
    try (PostgresLine line = new PostgresLine(uri(url).getPort())) {
      line.arm(point.cut, point.exchange, point.serverDies);
      String through = url.replace(":" + uri(url).getPort(), ":" + line.port());
      try (SteppedPool pool = new SteppedPool(new Database(through, line))) {
        point.scenario.play(pool);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed %d, %s: %s".formatted(seed, point, e.getMessage()), e);
      }
      return line.exchanges();
    }
  }

  @Test
  void an_acknowledgement_before_the_commit_is_found() throws Exception {
    int exchanges = play(new Point(Scenario.SUBMIT, Cut.NEVER, false, 0));
    hasty = true;
    assertThatThrownBy(
            () -> {
              for (int exchange = exchanges; exchange > 0; exchange -= 2) {
                play(new Point(Scenario.SUBMIT, Cut.BEFORE, true, exchange));
              }
            })
        .isInstanceOf(AssertionError.class);
  }

  @Test
  @EnabledIfSystemProperty(named = "imker.point", matches = ".*")
  void one_point_again() throws Exception {
    play(Point.parse(System.getProperty("imker.point")));
  }

  @Test
  void whenever_the_database_is_lost_what_was_acknowledged_is_there_once() throws Exception {
    boolean all = System.getProperty("imker.faults", "").equals("all");
    List<Scenario> scenarios = new ArrayList<>(List.of(Scenario.values()));
    Collections.shuffle(scenarios, random);
    List<Point> points = new ArrayList<>();
    for (Scenario scenario : all ? scenarios : scenarios.subList(0, 5)) {
      int exchanges = play(new Point(scenario, Cut.NEVER, false, 0));
      for (int exchange = 1; exchange <= exchanges; exchange++) {
        for (Cut cut : List.of(Cut.BEFORE, Cut.AFTER)) {
          points.add(new Point(scenario, cut, false, exchange));
          points.add(new Point(scenario, cut, true, exchange));
        }
      }
    }
    Collections.shuffle(points, random);
    long end = System.nanoTime() + (all ? Long.MAX_VALUE / 2 : SECONDS * 1_000_000_000L);
    Queue<Point> left = new ConcurrentLinkedQueue<>(points);
    List<String> findings = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger done = new AtomicInteger();
    for (int i = 1; all && i < AT_ONCE; i++) {
      databases.add(database());
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(databases.size())) {
      for (int i = databases.size(); i > 0; i--) {
        threads.execute(
            () -> {
              for (Point point = left.poll();
                  point != null && System.nanoTime() - end < 0;
                  point = left.poll()) {
                try {
                  play(point);
                } catch (Exception | AssertionError e) {
                  findings.add(String.valueOf(e.getMessage()));
                }
                int now = done.incrementAndGet();
                if (now % 100 == 0) {
                  System.out.printf(
                      "%d of %d fault points, findings: %s%n", now, points.size(), findings);
                }
              }
            });
      }
    }
    System.out.printf("seed %d: %d of %d fault points%n", seed, done.get(), points.size());
    assertThat(findings).isEmpty();
    assertThat(done.get()).isPositive();
  }
}
