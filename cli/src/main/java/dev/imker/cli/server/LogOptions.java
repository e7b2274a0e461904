package dev.imker.cli.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.imker.cli.options.JobFileSet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** What a server writes of what it does, and where to. */
final class LogOptions {
  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0} %msg%n%ex{0}";
  private static final String FULL = PATTERN.replace("%ex{0}", "%ex");
  private static final long FULL_BYTES = 10L << 20;
  private static final int KEPT = 9;

  enum Form {
    TEXT,
    JSON
  }

  enum Threshold {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }

  @Option(
      names = "--log-file",
      paramLabel = "FILE",
      description =
          "Log file (default: log/server.log in the data folder; - logs to standard"
              + " error). Rotated at 10 MB; the last 9 files are kept.")
  @Nullable String file;

  @Option(
      names = "--log-format",
      paramLabel = "FORM",
      description = "Log format: text, or json with one object per line (default: text).")
  Form form = Form.TEXT;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description =
          "Log level: error, warn, info, debug or trace (default: info); 'imker server"
              + " log-level' changes it while the server runs.")
  Threshold level = Threshold.INFO;

  /** From now on this process logs as a server does. */
  void begin(Path dataFolder) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    boolean toTerminal = "-".equals(file) || JobFileSet.STANDARD_INPUT.equals(file);
    root.addAppender(counted(terminal(context, toTerminal), context));
    if (!toTerminal) {
      Path target = file == null ? dataFolder.resolve("log").resolve("server.log") : Path.of(file);
      root.addAppender(counted(file(context, target.toAbsolutePath()), context));
    }
    String wanted = System.getenv("IMKER_LOG");
    context
        .getLogger("dev.imker")
        .setLevel(Level.toLevel(wanted == null ? level.name() : wanted, Level.INFO));
  }

  private static Appender<ILoggingEvent> counted(
      Appender<ILoggingEvent> target, LoggerContext context) {
    RepeatCounter counter = new RepeatCounter(target);
    counter.setContext(context);
    counter.start();
    return counter;
  }

  /** People who start a server by hand see what is wrong; everything is in the file. */
  private Appender<ILoggingEvent> terminal(LoggerContext context, boolean all) {
    ConsoleAppender<ILoggingEvent> terminal = new ConsoleAppender<>();
    terminal.setContext(context);
    terminal.setTarget("System.err");
    terminal.setEncoder(all ? encoder(context) : text(context, PATTERN));
    if (!all) {
      ThresholdFilter warnings = new ThresholdFilter();
      warnings.setLevel("WARN");
      warnings.start();
      terminal.addFilter(warnings);
    }
    terminal.start();
    return terminal;
  }

  private Appender<ILoggingEvent> file(LoggerContext context, Path target) {
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setFile(target.toString());
    appender.setEncoder(encoder(context));
    FixedWindowRollingPolicy rolling = new FixedWindowRollingPolicy();
    rolling.setContext(context);
    rolling.setParent(appender);
    rolling.setFileNamePattern(target + ".%i");
    rolling.setMinIndex(1);
    rolling.setMaxIndex(KEPT);
    rolling.start();
    appender.setRollingPolicy(rolling);
    SizeBasedTriggeringPolicy<ILoggingEvent> full = new SizeBasedTriggeringPolicy<>();
    full.setContext(context);
    full.setMaxFileSize(new FileSize(FULL_BYTES));
    full.start();
    appender.setTriggeringPolicy(full);
    appender.start();
    return appender;
  }

  private Encoder<ILoggingEvent> encoder(LoggerContext context) {
    if (form == Form.TEXT) {
      return text(context, FULL);
    }
    JsonEncoder json = new DatedJson();
    json.setContext(context);
    json.setWithTimestamp(false);
    json.setWithFormattedMessage(true);
    json.setWithMessage(false);
    json.setWithArguments(false);
    json.setWithContext(false);
    json.setWithSequenceNumber(false);
    json.setWithNanoseconds(false);
    json.start();
    return json;
  }

  /** Begins with the time as people and programs read it, instead of milliseconds since 1970. */
  static final class DatedJson extends JsonEncoder {
    @Override
    public byte[] encode(ILoggingEvent event) {
      String rest = new String(super.encode(event), StandardCharsets.UTF_8);
      String dated = "{\"time\":\"" + event.getInstant() + "\"," + rest.substring(1);
      return dated.getBytes(StandardCharsets.UTF_8);
    }
  }

  private static Encoder<ILoggingEvent> text(LoggerContext context, String pattern) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(pattern);
    encoder.start();
    return encoder;
  }
}
