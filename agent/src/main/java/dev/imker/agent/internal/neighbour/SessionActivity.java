package dev.imker.agent.internal.neighbour;

import dev.imker.agent.internal.platform.Programs;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * What the login manager knows of the graphical sessions (Wayland and X11 desktops tell it, after
 * minutes without input). It is asked every few seconds only, because that takes two processes.
 */
final class SessionActivity implements OwnerActivity {
  private static final long ASK_NANOS = 5_000_000_000L;

  private final String program;
  private final BooleanSupplier screensSeen;
  private long askedNanos = System.nanoTime() - ASK_NANOS;
  private boolean busy;

  private SessionActivity(String program, BooleanSupplier screensSeen) {
    this.program = program;
    this.screensSeen = screensSeen;
  }

  /**
   * @param screensSeen whether X11 displays tell by themselves, to the millisecond
   */
  static SessionActivity of(Programs programs, BooleanSupplier screensSeen) {
    return new SessionActivity(programs.find("loginctl").orElseThrow().toString(), screensSeen);
  }

  @Override
  public synchronized long idleMillis() {
    long nowNanos = System.nanoTime();
    if (nowNanos - askedNanos >= ASK_NANOS) {
      askedNanos = nowNanos;
      busy = ask();
    }
    return busy ? 0 : Long.MAX_VALUE;
  }

  private boolean ask() {
    try {
      String sessions = Programs.ask(List.of(program, "list-sessions", "--no-legend"));
      for (String line : sessions.lines().toList()) {
        String id = line.strip().split("\\s+", -1)[0];
        if (!id.isEmpty() && isInUse(show(id), screensSeen.getAsBoolean())) {
          return true;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private String show(String session) throws InterruptedException {
    return Programs.ask(
        List.of(program, "show-session", session, "-p", "Type", "-p", "State", "-p", "IdleHint"));
  }

  /**
   * Only graphical sessions say when they are idle. The X11 display that a Wayland session has
   * besides knows nothing of what happens in other windows.
   */
  static boolean isInUse(String properties, boolean screensSeen) {
    String text = properties.toLowerCase(Locale.ROOT);
    boolean graphical =
        text.contains("type=wayland") || (text.contains("type=x11") && !screensSeen);
    return graphical && text.contains("state=active") && text.contains("idlehint=no");
  }
}
