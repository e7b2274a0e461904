package dev.imker.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.cli.terminal.SafeWriter;
import dev.imker.cli.terminal.TextTable;
import dev.imker.client.context.PoolContext;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that asks a server something and prints the answer. */
public abstract class PoolCommand implements Callable<Integer> {
  @Mixin public ServerOptions server = new ServerOptions();
  @Mixin public OutputOptions output = new OutputOptions();
  @Spec public @Nullable CommandSpec spec;

  @Override
  public final Integer call() {
    try (ApiClient api = server.connect()) {
      return run(api);
    } finally {
      PoolContext.leadOver(System.getenv());
    }
  }

  public abstract int run(ApiClient api);

  /** Prints an answer as JSON if that is wanted, in words otherwise. */
  public final int show(JsonNode answer, Consumer<PrintWriter> words) {
    if (output.json) {
      OutputOptions.printJson(out(), answer);
    } else {
      words.accept(out());
    }
    return ExitCodes.OK;
  }

  /** Prints an answer as JSON if that is wanted, otherwise a row for each element of its list. */
  public final int table(
      JsonNode answer, String list, TextTable table, BiConsumer<TextTable, JsonNode> row) {
    return show(
        answer,
        out -> {
          answer.path(list).forEach(element -> row.accept(table, element));
          table.print(out);
        });
  }

  /** Where to print; whatever names come along, the terminal is only written to. */
  public PrintWriter out() {
    return SafeWriter.ofOutput(Objects.requireNonNull(spec).commandLine().getOut());
  }

  public PrintWriter err() {
    return Objects.requireNonNull(spec).commandLine().getErr();
  }
}
