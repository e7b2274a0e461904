package dev.imker.cli;

import dev.imker.cli.api.ApiClient;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that asks a server something and prints the answer. */
abstract class PoolCommand implements Callable<Integer> {
  @Mixin ServerOptions server = new ServerOptions();
  @Mixin OutputOptions output = new OutputOptions();
  @Spec @Nullable CommandSpec spec;

  @Override
  public final Integer call() {
    try (ApiClient api = server.connect()) {
      return run(api);
    }
  }

  abstract int run(ApiClient api);

  /** Where to print; whatever names come along, the terminal is only written to. */
  PrintWriter out() {
    return SafeWriter.of(Objects.requireNonNull(spec).commandLine().getOut());
  }

  PrintWriter err() {
    return SafeWriter.of(Objects.requireNonNull(spec).commandLine().getErr());
  }
}
