package dev.imker.agent.internal.neighbour;

import dev.imker.agent.OwnerActive;
import dev.imker.agent.internal.platform.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Since when the machine has been idle: the most recent input of all sources counts. */
interface OwnerActivity {
  /** Milliseconds since the last input; {@link Long#MAX_VALUE} if none can be seen. */
  long idleMillis();

  /** All signs of the kind wanted that can be seen on this system. */
  static OwnerActivity ofThisSystem(OwnerActive signs, Programs programs, Map<String, String> env) {
    if (signs == OwnerActive.NO) {
      return () -> Long.MAX_VALUE;
    }
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    List<OwnerActivity> sources = new ArrayList<>();
    if (os.startsWith("mac")) {
      sources.add(
          new AskedActivity(
              List.of("/usr/sbin/ioreg", "-rd1", "-c", "IOHIDSystem"), IdleTimes::ofIoreg));
    } else if (os.startsWith("windows")) {
      sources.add(new AskedActivity(List.of("quser"), IdleTimes::ofQuser));
    } else {
      if (signs == OwnerActive.YES) {
        sources.add(new TerminalActivity(Path.of("/dev")));
      }
      sources.add(InputDevices.watch(Path.of("/dev/input")));
      ScreenActivity x11 =
          ScreenActivity.x11(Path.of("/tmp/.X11-unix"), XAuthority.file(env)).begin();
      ScreenActivity wayland = ScreenActivity.wayland(Path.of("/run/user")).begin();
      sources.add(x11);
      sources.add(wayland);
      if (programs.find("loginctl").isPresent()) {
        sources.add(SessionActivity.of(programs, x11::seesAny, wayland::seesAny));
      }
    }
    return () -> sources.stream().mapToLong(OwnerActivity::idleMillis).min().orElse(Long.MAX_VALUE);
  }
}
