package dev.imker.cli.server;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the first few of the same messages within a minute, and of the others how many there
 * were. Messages are the same if they have the same text apart from what is filled in.
 */
final class RepeatCounter extends AppenderBase<ILoggingEvent> {
  static final int MAX_SAME = 3;
  static final long WINDOW_MILLIS = 60_000;
  private static final int MAX_KINDS = 1000;

  private record Kind(String logger, String level, @Nullable String message) {}

  private static final class Repeats {
    private final long beganMillis;
    private int passed;
    private int withheld;
    private @Nullable ILoggingEvent last;

    Repeats(long beganMillis) {
      this.beganMillis = beganMillis;
    }
  }

  private final Appender<ILoggingEvent> target;
  private final Map<Kind, Repeats> kinds = new LinkedHashMap<>();

  RepeatCounter(Appender<ILoggingEvent> target) {
    this.target = target;
    setName(target.getName());
  }

  @Override
  protected void append(ILoggingEvent event) {
    long now = event.getTimeStamp();
    endWindows(now);
    Kind kind = new Kind(event.getLoggerName(), event.getLevel().toString(), event.getMessage());
    Repeats repeats = kinds.computeIfAbsent(kind, _ -> new Repeats(now));
    if (repeats.passed < MAX_SAME || kinds.size() > MAX_KINDS) {
      repeats.passed++;
      target.doAppend(event);
    } else {
      repeats.withheld++;
      // Now, while its arguments and its thread are what they were.
      var _ = event.getFormattedMessage();
      var _ = event.getThreadName();
      repeats.last = event;
    }
  }

  private void endWindows(long now) {
    for (Iterator<Repeats> it = kinds.values().iterator(); it.hasNext(); ) {
      Repeats repeats = it.next();
      if (now - repeats.beganMillis < WINDOW_MILLIS) {
        return; // in the order in which they began
      }
      it.remove();
      tell(repeats);
    }
  }

  private void tell(Repeats repeats) {
    ILoggingEvent last = repeats.last;
    if (last == null) {
      return;
    }
    LoggingEvent summary = new LoggingEvent();
    summary.setLoggerName(last.getLoggerName());
    summary.setThreadName(last.getThreadName());
    summary.setLevel(last.getLevel());
    summary.setInstant(last.getInstant());
    summary.setMessage(
        last.getFormattedMessage() + " (the last of " + repeats.withheld + " more of these)");
    target.doAppend(summary);
  }

  @Override
  public void stop() {
    kinds.values().forEach(this::tell);
    kinds.clear();
    super.stop();
    target.stop();
  }
}
