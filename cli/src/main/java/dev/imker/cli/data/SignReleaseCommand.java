package dev.imker.cli.data;

import dev.imker.cli.terminal.ExitCodes;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.server.update.AgentRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker sign-release}: what owners of machines demand before they change versions. */
@Command(
    name = "sign-release",
    description = {
      "Sign a version of Imker with an offline key (see: imker key).",
      "Writes JAR.sig; put it next to the jar that the server runs. Machines whose"
          + " policy lists the key as 'release-key' update to signed versions only."
    })
public final class SignReleaseCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;

  @Parameters(paramLabel = "JAR", description = "The jar of the version, imker.jar.")
  @Nullable Path jar;

  @Option(names = "--key", paramLabel = "FILE", required = true, description = "The secret key.")
  @Nullable Path key;

  @Override
  public Integer call() {
    Path file = Objects.requireNonNull(jar);
    Path signature = file.resolveSibling(file.getFileName() + AgentRelease.SIGNATURE_ENDING);
    SigningKey secret = SigningKey.read(Objects.requireNonNull(key));
    try {
      BlobId build = AgentRelease.hash(file);
      Files.writeString(signature, secret.sign(AgentRelease.signedText(build)) + "\n");
      Objects.requireNonNull(spec)
          .commandLine()
          .getOut()
          .println("build " + build.sha256() + " signed: " + signature);
      return ExitCodes.OK;
    } catch (IOException | GeneralSecurityException e) {
      throw new ImkerException(file + " cannot be signed: " + e.getMessage(), e);
    }
  }
}
