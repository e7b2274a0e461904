package dev.imker.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.imker.charts.pool.PoolTaskMain;
import dev.imker.cli.admin.AuditCommand;
import dev.imker.cli.admin.LoginCommand;
import dev.imker.cli.admin.RetentionCommand;
import dev.imker.cli.admin.SecretCommand;
import dev.imker.cli.admin.SettingsCommand;
import dev.imker.cli.admin.StrategyCommand;
import dev.imker.cli.admin.TokensCommand;
import dev.imker.cli.admin.UsersCommand;
import dev.imker.cli.admin.WhoamiCommand;
import dev.imker.cli.agent.AgentCommand;
import dev.imker.cli.agent.AgentProgram;
import dev.imker.cli.agent.DoctorCommand;
import dev.imker.cli.api.ApiException;
import dev.imker.cli.charts.ChartCommand;
import dev.imker.cli.data.DropCommand;
import dev.imker.cli.data.KeyCommand;
import dev.imker.cli.data.LibrariesCommand;
import dev.imker.cli.data.SignReleaseCommand;
import dev.imker.cli.follow.AttachCommand;
import dev.imker.cli.follow.ResultsCommand;
import dev.imker.cli.follow.WaitCommand;
import dev.imker.cli.jobs.BoardCommand;
import dev.imker.cli.jobs.ExplainCommand;
import dev.imker.cli.jobs.ExportCommand;
import dev.imker.cli.jobs.ImportCommand;
import dev.imker.cli.jobs.ListCommand;
import dev.imker.cli.jobs.LogsCommand;
import dev.imker.cli.jobs.NoticesCommand;
import dev.imker.cli.jobs.ProjectsCommand;
import dev.imker.cli.jobs.RemoveCommand;
import dev.imker.cli.jobs.SetCommand;
import dev.imker.cli.jobs.ShowCommand;
import dev.imker.cli.jobs.SteerCommand;
import dev.imker.cli.jobs.TopCommand;
import dev.imker.cli.jobs.UsageCommand;
import dev.imker.cli.nodes.JoinCommand;
import dev.imker.cli.nodes.NodesCommand;
import dev.imker.cli.nodes.ResourcesCommand;
import dev.imker.cli.options.JobFileSet;
import dev.imker.cli.server.BackupCommand;
import dev.imker.cli.server.ConfigCommand;
import dev.imker.cli.server.MigrateCommand;
import dev.imker.cli.server.RestoreCommand;
import dev.imker.cli.server.ServerCommand;
import dev.imker.cli.server.ServersCommand;
import dev.imker.cli.server.UpCommand;
import dev.imker.cli.server.VerifyCommand;
import dev.imker.cli.simulation.SimCommand;
import dev.imker.cli.submit.CloneCommand;
import dev.imker.cli.submit.KindsCommand;
import dev.imker.cli.submit.PlanCommand;
import dev.imker.cli.submit.RunCommand;
import dev.imker.cli.submit.SubmitCommand;
import dev.imker.cli.terminal.Colours;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.SafeWriter;
import dev.imker.cli.terminal.UsageMistake;
import dev.imker.client.context.NoServerException;
import dev.imker.model.ImkerException;
import dev.imker.model.connection.HttpProxies;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.ProxySelector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code imker} command. */
@Command(
    name = "imker",
    versionProvider = ImkerVersion.class,
    description = "Turns the computers you already have into one compute pool.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Start here:  imker up                          a pool on this machine",
      "             imker run --wait -- echo hello    in another terminal",
    })
public final class Main implements Runnable {
  /** By their names, in the order of the help. */
  static final Map<String, Class<?>> COMMANDS = commands();

  /** They tell of all the others. */
  private static final Set<String> KNOW_ALL = Set.of("help", "completion");

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version.")
  boolean versionRequested;

  @Option(
      names = "--color",
      scope = CommandLine.ScopeType.INHERIT,
      paramLabel = "WHEN",
      description = "auto (on terminals, unless NO_COLOR is set), always or never.")
  void color(Colours.When when) {
    Colours.use(when);
  }

  private static Map<String, Class<?>> commands() {
    Map<String, Class<?>> all = new LinkedHashMap<>();
    all.put("up", UpCommand.class);
    all.put("server", ServerCommand.class);
    all.put("config", ConfigCommand.class);
    all.put("agent", AgentCommand.class);
    all.put("doctor", DoctorCommand.class);
    all.put("key", KeyCommand.class);
    all.put("sign-release", SignReleaseCommand.class);
    all.put("run", RunCommand.class);
    all.put("submit", SubmitCommand.class);
    all.put("import-tsv", SubmitCommand.ImportTable.class);
    all.put("clone", CloneCommand.class);
    all.put("ls", ListCommand.class);
    all.put("show", ShowCommand.class);
    all.put("logs", LogsCommand.class);
    all.put("results", ResultsCommand.class);
    all.put("wait", WaitCommand.class);
    all.put("attach", AttachCommand.class);
    all.put("cancel", SteerCommand.Cancel.class);
    all.put("block", SteerCommand.Block.class);
    all.put("release", SteerCommand.Release.class);
    all.put("retry", SteerCommand.Retry.class);
    all.put("set", SetCommand.class);
    all.put("nodes", NodesCommand.class);
    all.put("servers", ServersCommand.class);
    all.put("projects", ProjectsCommand.class);
    all.put("explain", ExplainCommand.class);
    all.put("strategy", StrategyCommand.class);
    all.put("login", LoginCommand.class);
    all.put("whoami", WhoamiCommand.class);
    all.put("users", UsersCommand.class);
    all.put("tokens", TokensCommand.class);
    all.put("secret", SecretCommand.class);
    all.put("libraries", LibrariesCommand.class);
    all.put("audit", AuditCommand.class);
    all.put("join", JoinCommand.class);
    all.put("usage", UsageCommand.class);
    all.put("resources", ResourcesCommand.class);
    all.put("kinds", KindsCommand.class);
    all.put("settings", SettingsCommand.class);
    all.put("notices", NoticesCommand.class);
    all.put("board", BoardCommand.class);
    all.put("retention", RetentionCommand.class);
    all.put("delete", RemoveCommand.class);
    all.put("export", ExportCommand.class);
    all.put("import", ImportCommand.class);
    all.put("migrate", MigrateCommand.class);
    all.put("backup", BackupCommand.class);
    all.put("restore", RestoreCommand.class);
    all.put("verify", VerifyCommand.class);
    all.put("plan", PlanCommand.class);
    all.put("sim", SimCommand.class);
    all.put("chart", ChartCommand.class);
    all.put("drop", DropCommand.class);
    all.put("completion", CompletionCommand.class);
    all.put("top", TopCommand.class);
    all.put("help", HelpCommand.class);
    return all;
  }

  public static void main(String[] args) {
    if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
      // Programs ask often; all the other commands need not be built for it.
      ImkerVersion.lines().forEach(System.out::println);
      return;
    }
    begin();
    if (args.length > 1 && args[0].equals("chart") && args[1].equals("task")) {
      // There are thousands of these; they have no use for all the other commands.
      List<String> arguments = List.of(args).subList(2, args.length);
      String plan = System.getenv(PoolTaskMain.PLAN);
      System.exit(PoolTaskMain.run(arguments, plan, System.out, System.err));
    }
    System.exit(execute(args));
  }

  /** What comes before any command. */
  static void begin() {
    Utf8Restart.ifNeeded();
    try {
      HttpProxies.of(System.getenv()).ifPresent(ProxySelector::setDefault);
    } catch (ImkerException e) {
      System.err.println(
          "imker: ignoring the proxy settings of the environment: " + e.getMessage());
    }
  }

  /** Runs one command line; the exit code. */
  public static int execute(String... args) {
    Colours.use(Colours.When.AUTO);
    String[] words = withoutDashes(args);
    return commandLine(words).execute(words);
  }

  /** A lone dash means standard input (or output); only what follows -- is left alone. */
  static String[] withoutDashes(String... args) {
    String[] all = args.clone();
    if (all.length > 0 && all[0].equals("tasks")) {
      all[0] = "libraries"; // its name until it was taken for the tasks of jobs
    }
    for (int i = 0; i < all.length && !all[i].equals("--"); i++) {
      all[i] = all[i].equals("-") ? JobFileSet.STANDARD_INPUT : all[i];
    }
    return all;
  }

  /** With the one command that the arguments begin with, or else all: most of a start is them. */
  static CommandLine commandLine(String... args) {
    CommandLine line = new CommandLine(AgentProgram.isAll() ? new AgentProgram() : new Main());
    if (line.getCommand() instanceof Main) {
      String first = args.length == 0 ? "" : args[0];
      Class<?> only = KNOW_ALL.contains(first) ? null : COMMANDS.get(first);
      (only == null ? COMMANDS.values() : List.<Class<?>>of(only)).forEach(line::addSubcommand);
    }
    line.setOut(writer(System.out));
    line.setErr(SafeWriter.of(writer(System.err)));
    addHelp(line);
    line.setAbbreviatedOptionsAllowed(true);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setParameterExceptionHandler((e, a) -> onWrongUsage(e));
    line.setExecutionExceptionHandler((e, command, parsed) -> onFailure(e, command));
    return line;
  }

  @Override
  public void run() {
    if (spec != null) {
      spec.commandLine().usage(spec.commandLine().getOut());
    }
  }

  private static void addHelp(CommandLine line) {
    for (CommandLine sub : line.getSubcommands().values()) {
      if (sub.getCommandSpec().findOption("--help") == null) {
        sub.getCommandSpec().mixinStandardHelpOptions(false);
        sub.getCommandSpec()
            .addOption(
                CommandLine.Model.OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .description("Show this help.")
                    .build());
      }
      addHelp(sub);
    }
    if (line.getParent() == null) {
      line.getCommandSpec()
          .addOption(
              CommandLine.Model.OptionSpec.builder("-h", "--help")
                  .usageHelp(true)
                  .description("Show this help.")
                  .build());
    }
  }

  private static int onWrongUsage(ParameterException e) {
    CommandLine command = e.getCommandLine();
    Colours.printError(command.getErr(), System.err, UsageMistake.inWords(e));
    command.getErr().println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static int onFailure(Exception e, CommandLine command) throws IOException {
    PrintWriter err = command.getErr();
    command.getOut().flush();
    if (!(e instanceof ImkerException)) {
      reportBug(e, err);
      return CommandLine.ExitCode.SOFTWARE;
    }
    Colours.printError(err, System.err, String.valueOf(e.getMessage()));
    return switch (e) {
      case NoServerException _ -> ExitCodes.NO_SERVER;
      case ApiException refusal when refusal.isPoolAway() -> ExitCodes.NO_SERVER;
      case ApiException _ -> ExitCodes.REFUSED;
      default -> ExitCodes.USAGE;
    };
  }

  private static void reportBug(Exception e, PrintWriter err) throws IOException {
    Path report = Files.createTempFile("imker-error-", ".txt");
    try (PrintStream file = new PrintStream(Files.newOutputStream(report), true, UTF_8)) {
      e.printStackTrace(file);
    }
    Colours.printError(err, System.err, "unexpected error: " + e);
    err.println("This is a bug in Imker. Please report it with the file " + report + ".");
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, UTF_8);
  }
}
