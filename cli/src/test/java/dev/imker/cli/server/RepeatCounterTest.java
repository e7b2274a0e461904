package dev.imker.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatCounterTest {
  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> seen = new ListAppender<>();
  private final RepeatCounter counter = new RepeatCounter(seen);
  private long nowMillis = 1_000_000;

  RepeatCounterTest() {
    seen.setContext(context);
    seen.start();
    counter.setContext(context);
    counter.start();
  }

  private void log(String message, Object... arguments) {
    LoggingEvent event =
        new LoggingEvent("x", context.getLogger("x"), Level.WARN, message, null, arguments);
    event.setInstant(Instant.ofEpochMilli(nowMillis));
    counter.doAppend(event);
  }

  private List<String> messages() {
    return seen.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void repeated_messages_are_counted_and_others_pass() {
    for (int i = 1; i <= 100; i++) {
      log("try {}", i);
      nowMillis += 10;
    }
    log("something else");
    assertThat(messages()).containsExactly("try 1", "try 2", "try 3", "something else");
    nowMillis += RepeatCounter.WINDOW_MILLIS;
    log("try {}", 101);
    assertThat(messages())
        .endsWith("something else", "try 100 (the last of 97 more of these)", "try 101");
  }

  @Test
  void what_was_withheld_is_told_at_the_end() {
    for (int i = 1; i <= 5; i++) {
      log("again");
    }
    counter.stop();
    assertThat(messages())
        .containsExactly("again", "again", "again", "again (the last of 2 more of these)");
  }
}
