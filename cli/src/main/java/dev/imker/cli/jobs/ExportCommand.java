package dev.imker.cli.jobs;

import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.Texts;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker export}: finished jobs with results as one file. */
@Command(name = "export", description = "Write finished jobs with all their results to a ZIP file.")
public final class ExportCommand extends PoolCommand {
  @Parameters(
      paramLabel = "ID",
      description = "Jobs: 12, 12..15, a name, last, or a comma-separated list.")
  String id = "";

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "File to write.")
  Path file = Path.of("");

  @Override
  public int run(ApiClient api) {
    Path target = file.toAbsolutePath();
    Path partial = target.resolveSibling(target.getFileName() + ".part");
    try {
      try (InputStream body = api.open("/api/v1/export?q=" + ApiClient.encode(id))) {
        Files.copy(body, partial, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
      out().printf("%s: %s%n", file, Texts.bytes(Files.size(target)));
    } catch (IOException e) {
      throw new ImkerException("Cannot write " + file + ": " + e.getMessage(), e);
    } finally {
      deleteQuietly(partial);
    }
    return ExitCodes.OK;
  }

  private static void deleteQuietly(Path partial) {
    try {
      Files.deleteIfExists(partial);
    } catch (IOException e) {
      // What could not be written cannot be removed either; the first error is the one to tell.
    }
  }
}
