package dev.imker.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.Passphrase;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker secret}: values for jobs that nobody reads again. */
@Command(
    name = "secret",
    description = {
      "Store passwords and keys for your jobs.",
      "Jobs refer to them by name (--secret TOKEN=NAME, or 'secrets:' in a job file)"
          + " and get them as environment variables. They are stored encrypted, sent only to"
          + " the machine that runs the task, and masked in logs. They cannot be read back."
    },
    subcommands = {SecretCommand.Set.class, SecretCommand.Ls.class, SecretCommand.Delete.class})
public final class SecretCommand extends PoolCommand {
  private static final String PATH = "/api/v1/secrets";

  @Override
  public int run(ApiClient api) {
    return list(this, api);
  }

  private static int list(PoolCommand command, ApiClient api) {
    JsonNode answer = api.get(PATH);
    return command.table(
        answer,
        "secrets",
        new TextTable("NAME", "SET").whenEmpty("No secrets. Set one with: imker secret set NAME"),
        (table, secret) -> table.add(secret.path("name").asText(), Texts.time(secret.path("set"))));
  }

  @Command(
      name = "set",
      description = "Set a secret; prompts for it, or reads one line from standard input.")
  static final class Set extends PoolCommand {
    @Parameters(
        paramLabel = "NAME",
        description = "Name of the secret: letters, digits, dots, - and _.")
    String name = "";

    @Option(
        names = "--file",
        paramLabel = "FILE",
        description = "Use the content of this file as the value.")
    @Nullable Path file;

    @Override
    public int run(ApiClient api) {
      String value = file == null ? Passphrase.askNew("Secret " + name) : read(file);
      api.put(PATH + "/" + ApiClient.encode(name), Map.of("value", value));
      out().println("Secret " + name + " is set.");
      return ExitCodes.OK;
    }

    private static String read(Path file) {
      try {
        return Files.readString(file);
      } catch (IOException e) {
        throw new ImkerException("Cannot read " + file + ": " + e.getMessage(), e);
      }
    }
  }

  @Command(name = "ls", aliases = "list", description = "List your secrets, without their values.")
  static final class Ls extends PoolCommand {
    @Override
    public int run(ApiClient api) {
      return list(this, api);
    }
  }

  @Command(name = "delete", description = "Delete a secret; tasks that use it will fail.")
  static final class Delete extends PoolCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the secret.")
    String name = "";

    @Override
    public int run(ApiClient api) {
      api.delete(PATH + "/" + ApiClient.encode(name));
      out().println("Secret " + name + " is deleted.");
      return ExitCodes.OK;
    }
  }
}
