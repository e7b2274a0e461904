package dev.imker.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.Passphrase;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.Sizes;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import dev.imker.model.ImkerException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker users}: accounts. */
@Command(
    name = "users",
    description = "List or change who may use the pool.",
    subcommands = {
      UsersCommand.All.class,
      UsersCommand.Add.class,
      UsersCommand.Passwd.class,
      UsersCommand.Role.class,
      UsersCommand.SetQuota.class,
      UsersCommand.Disable.class,
      UsersCommand.Enable.class,
      UsersCommand.Remove.class
    })
public final class UsersCommand extends PoolCommand {
  private static final String PATH = "/api/v1/users";

  @Override
  public int run(ApiClient api) {
    return list(this, api);
  }

  private static int list(PoolCommand command, ApiClient api) {
    JsonNode answer = api.get(PATH);
    return command.table(
        answer,
        "users",
        new TextTable("USER", "ROLE", "STATE", "PASSWORD", "STORAGE", "QUOTA", "SINCE"),
        (table, user) ->
            table.add(
                user.path("user").asText(),
                user.path("role").asText().toLowerCase(Locale.ROOT),
                user.path("disabled").asBoolean() ? "disabled" : "active",
                user.path("hasPassword").asBoolean() ? "yes" : "no",
                Texts.bytes(user.path("storageBytes").asLong()),
                quota(user.path("quota")),
                Texts.time(user.path("created"))));
  }

  private static String quota(JsonNode quota) {
    StringBuilder text = new StringBuilder();
    if (quota.path("tasks").isNumber()) {
      text.append(quota.path("tasks").asText()).append(" tasks ");
    }
    if (quota.path("storageBytes").isNumber()) {
      text.append(Texts.bytes(quota.path("storageBytes").asLong())).append(' ');
    }
    if (quota.path("slots").isNumber()) {
      text.append(quota.path("slots").asText()).append(" slots");
    }
    return text.isEmpty() ? "-" : text.toString().strip();
  }

  private static int print(PoolCommand command, JsonNode account, String done) {
    return command.show(
        account, out -> out.println("user " + account.path("user").asText() + ": " + done));
  }

  /** Limits; a word instead of a number lifts one. */
  static final class QuotaOptions {
    @Option(
        names = "--tasks",
        paramLabel = "N",
        description = "Maximum number of unfinished tasks; 'none': no limit.")
    @Nullable String tasks;

    @Option(
        names = "--storage",
        paramLabel = "SIZE",
        description = "Maximum size of files, for example 500M or 20G; 'none': no limit.")
    @Nullable String storage;

    @Option(
        names = "--slots",
        paramLabel = "N",
        description = "Maximum number of tasks running at once; 'none': no limit.")
    @Nullable String slots;

    Map<String, Long> body() {
      Map<String, Long> quota = new LinkedHashMap<>();
      if (tasks != null) {
        quota.put("tasks", number("--tasks", tasks));
      }
      if (storage != null) {
        quota.put("storageBytes", Sizes.parse("--storage", storage));
      }
      if (slots != null) {
        quota.put("slots", number("--slots", slots));
      }
      return quota;
    }

    private static long number(String option, String text) {
      if (text.equals("none")) {
        return -1;
      }
      if (!text.matches("[0-9]{1,15}")) {
        throw new ImkerException(option + " " + text + ": enter a whole number, or none.");
      }
      return Long.parseLong(text);
    }
  }

  abstract static class OneUser extends PoolCommand {
    @Parameters(index = "0", paramLabel = "USER", description = "Name of the user.")
    String user = "";

    String path() {
      return PATH + "/" + ApiClient.encode(user);
    }
  }

  @Command(name = "list", description = "List accounts.")
  static final class All extends PoolCommand {
    @Override
    public int run(ApiClient api) {
      return list(this, api);
    }
  }

  @Command(
      name = "add",
      description = {
        "Add a user.",
        "Prompts for a password, or reads it from standard input; with --no-password"
            + " the user can log",
        "in with tokens only (imker tokens create)."
      })
  static final class Add extends OneUser {
    @Option(
        names = "--role",
        paramLabel = "ROLE",
        description = "Role: user, viewer or admin (default: ${DEFAULT-VALUE}).")
    String role = "user";

    @Option(names = "--no-password", description = "Set no password.")
    boolean noPassword;

    @Mixin QuotaOptions quota = new QuotaOptions();

    @Override
    public int run(ApiClient api) {
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("user", user);
      body.put("role", role.toUpperCase(Locale.ROOT));
      if (!noPassword) {
        body.put("password", Passphrase.askNew("Password for " + user));
      }
      if (!quota.body().isEmpty()) {
        body.put("quota", quota.body());
      }
      return print(this, api.post(PATH, body), "added");
    }
  }

  @Command(name = "passwd", description = "Set a password: your own, or as an admin that of USER.")
  static final class Passwd extends PoolCommand {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "USER",
        description = "User (default: you).")
    @Nullable String user;

    @Override
    public int run(ApiClient api) {
      if (user != null) {
        String password = Passphrase.askNew("New password for " + user);
        String path = PATH + "/" + ApiClient.encode(user);
        return print(this, api.put(path, Map.of("password", password)), "has a new password");
      }
      Map<String, String> body = new LinkedHashMap<>();
      if (api.get("/api/v1/me").path("hasPassword").asBoolean()) {
        body.put("old", Passphrase.ask("Present password"));
      }
      body.put("new", Passphrase.askNew("New password"));
      return print(this, api.put("/api/v1/me/password", body), "has a new password");
    }
  }

  @Command(name = "role", description = "Change the role of a user.")
  static final class Role extends OneUser {
    @Parameters(index = "1", paramLabel = "ROLE", description = "user, viewer or admin.")
    String role = "";

    @Override
    public int run(ApiClient api) {
      Map<String, String> body = Map.of("role", role.toUpperCase(Locale.ROOT));
      return print(this, api.put(path(), body), "is now " + role);
    }
  }

  @Command(name = "quota", description = "Set quotas for a user.")
  static final class SetQuota extends OneUser {
    @Mixin QuotaOptions quota = new QuotaOptions();

    @Override
    public int run(ApiClient api) {
      JsonNode account =
          quota.body().isEmpty() ? api.get(path()) : api.put(path(), Map.of("quota", quota.body()));
      return print(this, account, "quota " + UsersCommand.quota(account.path("quota")));
    }
  }

  @Command(
      name = "disable",
      description = "Disable a user; the user's tokens stop working immediately.")
  static final class Disable extends OneUser {
    @Override
    public int run(ApiClient api) {
      return print(this, api.put(path(), Map.of("disabled", true)), "disabled");
    }
  }

  @Command(name = "enable", description = "Enable a disabled user.")
  static final class Enable extends OneUser {
    @Override
    public int run(ApiClient api) {
      return print(this, api.put(path(), Map.of("disabled", false)), "enabled");
    }
  }

  @Command(name = "remove", description = "Delete an account and its tokens; its jobs are kept.")
  static final class Remove extends OneUser {
    @Override
    public int run(ApiClient api) {
      api.delete(path());
      if (!output.json) {
        out().println("user " + user + ": removed");
      }
      return ExitCodes.OK;
    }
  }
}
