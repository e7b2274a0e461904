package dev.imker.agent.internal.neighbour;

import dev.imker.agent.internal.platform.Programs;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * The login manager's knowledge of graphical sessions (Wayland and X11 desktops tell it, after
 * minutes without input). It is asked every few seconds only, because that takes processes.
 */
final class SessionActivity implements OwnerActivity {
  private static final long ASK_NANOS = 5_000_000_000L;

  /** How often to ask where nobody has a graphical session. */
  private static final long SEARCH_NANOS = 30_000_000_000L;

  private final String program;
  private final BooleanSupplier x11Seen;
  private final BooleanSupplier waylandSeen;
  private long nextNanos = System.nanoTime();
  private boolean busy;

  private SessionActivity(String program, BooleanSupplier x11Seen, BooleanSupplier waylandSeen) {
    this.program = program;
    this.x11Seen = x11Seen;
    this.waylandSeen = waylandSeen;
  }

  /**
   * @param x11Seen whether X11 displays tell by themselves, to the millisecond
   * @param waylandSeen the same of Wayland compositors
   */
  static SessionActivity of(
      Programs programs, BooleanSupplier x11Seen, BooleanSupplier waylandSeen) {
    String program = programs.find("loginctl").orElseThrow().toString();
    return new SessionActivity(program, x11Seen, waylandSeen);
  }

  @Override
  public synchronized long idleMillis() {
    long nowNanos = System.nanoTime();
    if (nowNanos - nextNanos >= 0) {
      ask(nowNanos);
    }
    return busy ? 0 : Long.MAX_VALUE;
  }

  private void ask(long nowNanos) {
    busy = false;
    nextNanos = nowNanos + SEARCH_NANOS;
    try {
      String sessions = Programs.ask(List.of(program, "list-sessions", "--no-legend"));
      for (String line : sessions.lines().toList()) {
        String id = line.strip().split("\\s+", -1)[0];
        String properties = id.isEmpty() ? "" : show(id);
        if (isSeenHereOnly(properties, x11Seen.getAsBoolean(), waylandSeen.getAsBoolean())) {
          nextNanos = nowNanos + ASK_NANOS;
          busy |= isInUse(properties);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String show(String session) throws InterruptedException {
    return Programs.ask(
        List.of(program, "show-session", session, "-p", "Type", "-p", "State", "-p", "IdleHint"));
  }

  /**
   * Only graphical sessions say when they are idle. The X11 display that a Wayland session has
   * besides knows nothing of what happens in other windows.
   */
  static boolean isSeenHereOnly(String properties, boolean x11Seen, boolean waylandSeen) {
    String text = properties.toLowerCase(Locale.ROOT);
    return (text.contains("type=wayland") && !waylandSeen)
        || (text.contains("type=x11") && !x11Seen);
  }

  static boolean isInUse(String properties) {
    String text = properties.toLowerCase(Locale.ROOT);
    return text.contains("state=active") && text.contains("idlehint=no");
  }
}
