package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the tests of sandboxes make them with, one after the other; our own is compiled here. */
final class SandboxMakers {
  private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

  private SandboxMakers() {}

  static List<SandboxMaker> all() {
    return Stream.of(own(), SandboxMaker.bubblewrap(new Programs(PATH)))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<SandboxMaker> own() {
    Path program = Path.of("target/sandbox/imker-box").toAbsolutePath();
    try {
      Process compiler =
          new ProcessBuilder("../packaging/box", program.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (compiler.waitFor() != 0) {
        System.out.println("Sandboxes of our own program are not tested: " + said);
        return Optional.empty();
      }
      return Files.isExecutable(program) ? SandboxMaker.own(program) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
