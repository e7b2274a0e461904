package dev.imker.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogOptionsTest {
  @Test
  void a_line_of_the_json_log_has_a_time_that_can_be_read() throws Exception {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    LogOptions.DatedJson json = new LogOptions.DatedJson();
    json.setContext(context);
    json.setWithTimestamp(false);
    json.start();
    LoggingEvent event = new LoggingEvent();
    event.setLoggerContext(context);
    event.setLoggerName("loop");
    event.setLevel(Level.WARN);
    event.setMessage("a \"message\"");
    event.setInstant(Instant.parse("2026-03-04T05:06:07.089Z"));
    JsonNode line = new ObjectMapper().readTree(json.encode(event));
    assertThat(line.path("time").asText()).isEqualTo("2026-03-04T05:06:07.089Z");
    assertThat(line.path("message").asText()).isEqualTo("a \"message\"");
  }
}
