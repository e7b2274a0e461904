package dev.imker.server.loop;

import dev.imker.core.strategy.Strategy;
import dev.imker.core.strategy.StrategyException;
import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.model.change.SettingPut;
import dev.imker.store.PoolStore;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The strategy of the pool: which one, in the words of {@link Strategies#parse}, kept on disk. */
public record StrategySetting(SchedulerLoop loop) {
  public static final String DEFAULT = "survival";
  public static final String KEY = "strategy";
  private static final Logger LOG = LoggerFactory.getLogger(StrategySetting.class);

  /** What was last chosen; the default if nothing was, or if this version does not know it. */
  static String kept(PoolStore store) {
    String text = store.setting(KEY).orElse(DEFAULT);
    try {
      Strategies.parse(text);
      return text;
    } catch (StrategyException e) {
      LOG.warn(
          "Cannot use the strategy '{}', using '{}' instead: {}", text, DEFAULT, e.getMessage());
      return DEFAULT;
    }
  }

  public CompletableFuture<String> text() {
    return loop.ask(PoolState::strategy);
  }

  /**
   * All decisions from now on are made by another strategy; the answer comes when that is on disk.
   *
   * @throws StrategyException if there is no such strategy or parameter
   */
  public CompletableFuture<String> choose(String text) {
    Strategy strategy = Strategies.parse(text);
    return loop.change(
        (pool, nowMillis, out) -> {
          pool.strategy(text, strategy);
          out.change(new SettingPut(KEY, text));
          return text;
        });
  }
}
