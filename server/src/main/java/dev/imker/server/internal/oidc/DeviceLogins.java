package dev.imker.server.internal.oidc;

import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Logins that were begun by a command and wait for somebody to confirm them in a browser. In
 * memory: after a change of the leader they are begun again. For any thread.
 */
public final class DeviceLogins {
  private static final int MAX_FOR_ADDRESS = 10;
  private static final int MAX = 10_000;

  private record Waiting(
      OidcProvider.Device device, String address, long untilMillis, long nextMillis) {}

  private final Clock clock;
  private final Map<String, Waiting> waiting = new HashMap<>();

  public DeviceLogins(Clock clock) {
    this.clock = clock;
  }

  /** Whether somebody may begin one more. */
  public synchronized boolean hasRoom(String address) {
    long now = clock.millis();
    waiting.values().removeIf(one -> one.untilMillis < now);
    return waiting.size() < MAX
        && waiting.values().stream().filter(one -> one.address.equals(address)).count()
            < MAX_FOR_ADDRESS;
  }

  public synchronized void begin(String handle, String address, OidcProvider.Device device) {
    long now = clock.millis();
    waiting.put(handle, new Waiting(device, address, now + device.seconds() * 1000L, 0));
  }

  /** Whether a login waits. */
  public synchronized boolean has(String handle) {
    Waiting one = waiting.get(handle);
    return one != null && one.untilMillis >= clock.millis();
  }

  /** The provider's code, if it may be asked now: not more often than it wants. */
  public synchronized Optional<String> due(String handle) {
    Waiting one = waiting.get(handle);
    long now = clock.millis();
    if (one == null || one.nextMillis > now) {
      return Optional.empty();
    }
    long next = now + one.device.intervalSeconds() * 1000L;
    waiting.put(handle, new Waiting(one.device, one.address, one.untilMillis, next));
    return Optional.of(one.device.code());
  }

  public synchronized void end(String handle) {
    waiting.remove(handle);
  }
}
