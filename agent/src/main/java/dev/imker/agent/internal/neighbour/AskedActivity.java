package dev.imker.agent.internal.neighbour;

import dev.imker.agent.internal.platform.Programs;
import java.util.List;
import java.util.function.ToLongFunction;

/** Determines the idle time from the output of a system program. */
final class AskedActivity implements OwnerActivity {
  private final List<String> command;
  private final ToLongFunction<String> parser;

  AskedActivity(List<String> command, ToLongFunction<String> parser) {
    this.command = List.copyOf(command);
    this.parser = parser;
  }

  @Override
  public long idleMillis() {
    try {
      return parser.applyAsLong(Programs.ask(command));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Long.MAX_VALUE;
    }
  }
}
