package dev.imker.server.internal.notify;

import dev.imker.server.commands.Await;
import dev.imker.server.internal.settings.PoolSettings;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.PoolStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects when more tasks are READY than an admin allows for longer than a moment, and when that is
 * over. Its state is stored, so that a restart repeats nothing.
 */
public final class QueueAlarm {
  public static final String HOOK = "queue.web-hook";
  public static final String MOST = "queue.most-ready";
  private static final Logger LOG = LoggerFactory.getLogger(QueueAlarm.class);
  private static final String PATIENCE = "queue.patience-seconds";
  private static final String HOOK_OWNER = "queue.hook-owner";
  private static final String SINCE = "queue.long-since";
  private static final String TOLD = "queue.told-since";
  private static final long EVERY_MILLIS = 1_000;
  private static final int MAX_TRIES = 20;

  /** Calls a web hook; fails with {@link NotDeliveredException}. */
  interface Hook {
    void call(String address, String owner, String delivery, Map<String, Object> body)
        throws InterruptedException;

    long pauseMillis(int tries);
  }

  private final SchedulerLoop loop;
  private final PoolStore store;
  private final PoolSettings settings;
  private final Clock clock;
  private volatile boolean isLong;
  private long lookedMillis;
  private long beyondSinceMillis;
  private long nextTryMillis;
  private int tries;

  public QueueAlarm(
      SchedulerLoop loop,
      PoolStore store,
      PoolSettings settings,
      Clock clock,
      MeterRegistry registry) {
    this.loop = loop;
    this.store = store;
    this.settings = settings;
    this.clock = clock;
    Gauge.builder("imker.queue.long", () -> isLong ? 1 : 0)
        .description("1 while more tasks are READY than queue.most-ready allows")
        .strongReference(true)
        .register(registry);
  }

  /** Since when too many tasks wait; empty while they do not. */
  public static Optional<Instant> since(PoolStore store) {
    return store
        .setting(SINCE)
        .filter(text -> !text.isEmpty())
        .map(text -> Instant.ofEpochMilli(Long.parseLong(text)));
  }

  /** Calls of the hook are signed with the key of the admin who named it. */
  public static void hookNamedBy(PoolStore store, String user) {
    store.putSetting(HOOK_OWNER, user);
  }

  void look(String pool, String link, Hook hook) throws InterruptedException {
    long now = clock.millis();
    if (now - lookedMillis < EVERY_MILLIS) {
      return;
    }
    lookedMillis = now;
    String before = store.setting(SINCE).orElse("");
    Optional<String> most = settings.get(MOST);
    if (most.isEmpty() && before.isEmpty() && told().isEmpty()) {
      isLong = false;
      return;
    }
    int ready = Await.answer(loop.ask(state -> state.scheduler().view().ready()));
    int limit = most.map(Integer::parseInt).orElse(Integer.MAX_VALUE);
    String since = since(now, ready, limit, before);
    isLong = !since.isEmpty();
    if (!since.equals(before)) {
      store.putSetting(SINCE, since);
      tries = 0;
      nextTryMillis = 0;
      LOG.info(
          "{} tasks are READY, which is {}", ready, isLong ? "too many" : "back below the limit");
    }
    if (!since.equals(told()) && now >= nextTryMillis) {
      tell(since, body(pool, link, ready, limit), hook);
    }
  }

  /** Another server looks from now on; this one knows nothing of the queue any more. */
  void stop() {
    isLong = false;
    beyondSinceMillis = 0;
  }

  private String told() {
    return store.setting(TOLD).orElse("");
  }

  private String since(long now, int ready, int limit, String before) {
    if (ready <= limit) {
      beyondSinceMillis = 0;
      return "";
    }
    beyondSinceMillis = beyondSinceMillis == 0 ? now : beyondSinceMillis;
    long patience = 1_000 * Long.parseLong(settings.get(PATIENCE, "60"));
    boolean news = before.isEmpty() && now - beyondSinceMillis >= patience;
    return news ? Long.toString(beyondSinceMillis) : before;
  }

  private Map<String, Object> body(String pool, String link, int ready, int limit) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("version", 1);
    body.put("event", isLong ? "queue.long" : "queue.short");
    body.put("pool", pool);
    body.put("ready", ready);
    if (limit < Integer.MAX_VALUE) {
      body.put("limit", limit);
    }
    body.put("link", link);
    return body;
  }

  private void tell(String since, Map<String, Object> body, Hook hook) throws InterruptedException {
    String about = since.isEmpty() ? told() : since;
    String delivery = "%s-%s".formatted(body.get("event"), about);
    body.put("since", Instant.ofEpochMilli(Long.parseLong(about)).toString());
    body.put("delivery", delivery);
    Optional<String> address = settings.get(HOOK);
    tries++;
    try {
      if (address.isPresent()) {
        hook.call(address.get(), store.setting(HOOK_OWNER).orElse(""), delivery, body);
      }
      store.putSetting(TOLD, since);
    } catch (NotDeliveredException e) {
      LOG.info("The web hook of the queue could not be called: {}", e.getMessage());
      nextTryMillis = clock.millis() + hook.pauseMillis(tries);
      if (e.isFinal() || tries >= MAX_TRIES) {
        store.putSetting(TOLD, since);
      }
    }
  }
}
