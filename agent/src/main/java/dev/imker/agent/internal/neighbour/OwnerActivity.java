package dev.imker.agent.internal.neighbour;

import dev.imker.agent.internal.platform.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Since when nobody has touched the machine. The most recent of what all sources see counts. */
interface OwnerActivity {
  /** Milliseconds since the last input; {@link Long#MAX_VALUE} if none can be seen. */
  long idleMillis();

  /** Everything that can be watched on this system. */
  static OwnerActivity ofThisSystem(Programs programs, Map<String, String> env) {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    List<OwnerActivity> sources = new ArrayList<>();
    if (os.startsWith("mac")) {
      sources.add(
          new AskedActivity(
              List.of("/usr/sbin/ioreg", "-rd1", "-c", "IOHIDSystem"), IdleTimes::ofIoreg));
    } else if (os.startsWith("windows")) {
      sources.add(new AskedActivity(List.of("quser"), IdleTimes::ofQuser));
    } else {
      sources.add(new TerminalActivity(Path.of("/dev")));
      sources.add(InputDevices.watch(Path.of("/dev/input")));
      ScreenActivity screens =
          new ScreenActivity(Path.of("/tmp/.X11-unix"), XAuthority.file(env)).begin();
      sources.add(screens);
      if (programs.find("loginctl").isPresent()) {
        sources.add(SessionActivity.of(programs, screens::seesAny));
      }
    }
    return () -> sources.stream().mapToLong(OwnerActivity::idleMillis).min().orElse(Long.MAX_VALUE);
  }
}
