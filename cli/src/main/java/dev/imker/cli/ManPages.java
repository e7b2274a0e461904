package dev.imker.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** Writes a manual page for every command into a folder; run by the build of a release. */
final class ManPages {
  private static final int WIDTH = 78;

  private ManPages() {}

  public static void main(String[] args) throws IOException {
    write(Main.commandLine(), Files.createDirectories(Path.of(args[0])));
  }

  static void write(CommandLine command, Path folder) throws IOException {
    CommandSpec spec = command.getCommandSpec();
    if (spec.usageMessage().hidden()) {
      return;
    }
    String name = spec.qualifiedName("-");
    Files.writeString(folder.resolve(name + ".1"), page(name, command));
    for (CommandLine sub : command.getSubcommands().values()) {
      write(sub, folder);
    }
  }

  private static String page(String name, CommandLine command) {
    command.setUsageHelpWidth(WIDTH);
    String[] description = command.getCommandSpec().usageMessage().description();
    String what = description.length == 0 ? "a command of Imker" : description[0];
    String[] version = new ImkerVersion().getVersion();
    return ".TH %s 1 \"\" \"%s\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n%s.fi\n"
        .formatted(
            escaped(name),
            version[0],
            escaped(name),
            escaped(what.replace("%%", "%")),
            escaped(command.getUsageMessage(Ansi.OFF)));
  }

  /** Nothing of it is taken for an order to the formatter. */
  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
  }
}
