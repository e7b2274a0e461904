package dev.imker.cli.agent;

import dev.imker.agent.OwnerActive;
import dev.imker.cli.options.Passphrase;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.client.context.ImkerHome;
import dev.imker.model.ImkerException;
import dev.imker.model.account.UserHome;
import dev.imker.model.code.CodePlace;
import dev.imker.model.connection.JoinToken;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code imker agent install}: makes the agent a service that starts with the machine. */
@Command(
    name = "install",
    sortOptions = false,
    description = {
      "Install the agent as a systemd user service, or as a system service if run as"
          + " root; on macOS as a launchd user agent."
    })
final class InstallCommand implements Callable<Integer> {
  /** The home of root, where all else is kept, is closed to the user that the service runs as. */
  private static final Path OF_SYSTEM = Path.of("/var/lib/imker-agent");

  private static final String SYSTEM = System.getProperty("os.name").toLowerCase(Locale.ROOT);
  private static final Path HOME = UserHome.of(System.getenv());

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--join",
      paramLabel = "TOKEN",
      description = "Join token printed by 'imker up' (default: $IMKER_JOIN, or the saved one).")
  @Nullable String join;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "The agent's folder (default: $IMKER_HOME/agent, ~/.imker/agent; as a system"
              + " service: /var/lib/imker-agent).")
  @Nullable Path data;

  @Option(
      names = "--user",
      paramLabel = "USER",
      description = "User that a system service runs as (default: imker).")
  String user = "imker";

  @Option(
      names = "--owner-active",
      paramLabel = "WHERE",
      description =
          "Pause tasks while somebody uses this machine: at its screen (screen, the"
              + " default), also in terminals (yes), or never (no). Prompts for it on a"
              + " terminal.")
  @Nullable OwnerActive ownerActive;

  @Option(names = "--print", description = "Only print the unit file; change nothing.")
  boolean printOnly;

  @Override
  public Integer call() {
    boolean ofSystem = System.getProperty("user.name").equals("root") && SYSTEM.equals("linux");
    Path usual = ImkerHome.of(System.getenv()).agent();
    Path folder = folder(ofSystem, usual);
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    JoinToken token =
        new KeptJoin(folder)
            .find(join, System.getenv())
            .or(() -> new KeptJoin(usual).find(null, Map.of()))
            .orElseGet(() -> LanJoin.atTerminal(out).ask());
    ServiceUnit service =
        new ServiceUnit(java(), jar(), folder, ofSystem ? user : "", ownerActive());
    String unit = SYSTEM.startsWith("mac") ? service.launchd() : service.text();
    if (printOnly) {
      out.print(unit);
      out.flush();
      return ExitCodes.OK;
    }
    install(service, unit, ofSystem, token, out);
    return ExitCodes.OK;
  }

  private OwnerActive ownerActive() {
    OwnerActive given = ownerActive;
    if (given != null || printOnly) {
      return given == null ? OwnerActive.SCREEN : given;
    }
    String answer =
        Passphrase.terminal()
            .map(it -> it.readLine("Pause tasks while somebody uses this machine's screen? [Y/n] "))
            .orElse("");
    return answer.strip().toLowerCase(Locale.ROOT).startsWith("n")
        ? OwnerActive.NO
        : OwnerActive.SCREEN;
  }

  private Path folder(boolean ofSystem, Path usual) {
    if (data != null) {
      return data.toAbsolutePath();
    }
    return ofSystem && !System.getenv().containsKey("IMKER_HOME") ? OF_SYSTEM : usual;
  }

  private void install(
      ServiceUnit service, String unit, boolean ofSystem, JoinToken token, PrintWriter out) {
    Path place = place(ofSystem);
    Path folder = service.data();
    try {
      Files.createDirectories(folder);
      new KeptJoin(folder).keep(token);
      if (SYSTEM.startsWith("windows")) {
        out.println(
            "The token is saved. To start the agent whenever you log on, run in PowerShell:");
        out.println(
            "  Register-ScheduledTask imker-agent -Trigger (New-ScheduledTaskTrigger -AtLogOn)"
                + " -Action (New-ScheduledTaskAction -Execute PATH-OF\\imker.cmd -Argument 'agent"
                + ServiceUnit.line(service.ownerActive())
                + "')");
        return;
      }
      Files.createDirectories(place.getParent());
      Files.writeString(place, unit);
    } catch (IOException e) {
      throw new ImkerException("The service cannot be installed: " + e.getMessage(), e);
    }
    if (SYSTEM.startsWith("mac")) {
      out.println("Wrote " + place + ". To start it now and whenever you log in:");
      out.println("  launchctl bootstrap gui/$(id -u) " + place);
      return;
    }
    String systemctl = ofSystem ? "systemctl" : "systemctl --user";
    out.println("Wrote " + place + ". To start it now and at every boot:");
    if (ofSystem) {
      out.println("  id " + user + " || useradd --system --home-dir " + folder + " " + user);
      out.println("  chown -R " + user + ": " + folder);
    }
    out.println("  " + systemctl + " daemon-reload && " + systemctl + " enable --now imker-agent");
    if (ofSystem) {
      for (Path needed : List.of(java(), jar(), folder)) {
        Barrier.before(needed, user)
            .ifPresent(
                closed ->
                    out.println(
                        "But "
                            + user
                            + " cannot use "
                            + needed
                            + ": "
                            + closed
                            + " is not accessible to other users. Move it elsewhere, or"
                            + " choose another --user for the service."));
      }
    } else {
      out.println("  loginctl enable-linger     # also while you are not logged in");
    }
  }

  private static Path place(boolean ofSystem) {
    if (SYSTEM.startsWith("mac")) {
      return HOME.resolve("Library/LaunchAgents/dev.imker.agent.plist");
    }
    return ofSystem
        ? Path.of("/etc/systemd/system/imker-agent.service")
        : HOME.resolve(".config/systemd/user/imker-agent.service");
  }

  private static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  static Path jar() {
    return CodePlace.of(InstallCommand.class);
  }
}
