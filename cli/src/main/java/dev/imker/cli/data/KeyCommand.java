package dev.imker.cli.data;

import dev.imker.cli.terminal.ExitCodes;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker key}: a key to sign jobs with. */
@Command(
    name = "key",
    description = {
      "Create a key for signing jobs (imker run --sign FILE).",
      "Prints the public key, which machine owners list under 'trust' in their policy."
    })
public final class KeyCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "File to write the secret key to.")
  @Nullable Path file;

  @Override
  public Integer call() {
    String open = SigningKey.create(Objects.requireNonNull(file));
    Objects.requireNonNull(spec).commandLine().getOut().println(open);
    return ExitCodes.OK;
  }
}
