package dev.imker.server.internal.rest.data;

import dev.imker.model.BlobId;
import dev.imker.planner.actions.ActionScanner;
import dev.imker.planner.actions.ScanReport;
import dev.imker.planner.actions.ScannedAction;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.library.LibraryVersion;
import dev.imker.server.internal.library.TaskLibraries;
import dev.imker.server.internal.rest.request.Checks;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code /api/v1/libraries}: jars with tasks, uploaded once and used by their name. */
public record LibraryRoutes(
    TaskLibraries libraries, BlobStore blobs, UserFiles files, Clock clock) {
  private static final int MAX_BODY_BYTES = 16 << 10;
  private static final String VERSION = "[A-Za-z0-9][A-Za-z0-9._-]{0,59}";

  /** A version for callers. */
  public record View(
      String user,
      String name,
      String version,
      String sha256,
      long size,
      String signature,
      String uploaded,
      List<String> actions) {
    static View of(LibraryVersion one) {
      return new View(
          one.user(),
          one.name(),
          one.version(),
          one.sha256(),
          one.size(),
          one.signature(),
          Times.iso(one.uploadedMillis()),
          one.actions());
    }
  }

  /** The oldest first. */
  public record Libraries(List<View> libraries) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/libraries", Access.LOOK, this::list),
        Endpoint.put("/api/v1/libraries/{name}", Access.WORK, this::put),
        Endpoint.delete("/api/v1/libraries/{name}/{version}", Access.WORK, this::remove));
  }

  private void list(Exchange exchange) throws IOException {
    Identity caller = exchange.identity();
    exchange.json(
        200,
        new Libraries(
            libraries.all().stream()
                .filter(one -> caller.maySee(one.user()))
                .map(View::of)
                .toList()));
  }

  private void put(Exchange exchange) throws IOException {
    String user = exchange.identity().user();
    String name = Checks.name("name", exchange.param("name"));
    JsonFields body =
        JsonFields.of(exchange.json(MAX_BODY_BYTES), "", Set.of("sha256", "version", "signature"));
    BlobId blob = blob(exchange.identity(), body.text("sha256"));
    String asked = body.text("version", "");
    Optional<LibraryVersion> same =
        asked.isEmpty() ? libraries.newest(user, name, blob.sha256()) : Optional.empty();
    if (same.isPresent()) {
      exchange.json(200, View.of(same.get()));
      return;
    }
    LibraryVersion added =
        new LibraryVersion(
            user,
            name,
            version(asked.isEmpty() ? libraries.nextVersion(user, name) : asked),
            blob.sha256(),
            files.size(blob),
            body.text("signature", ""),
            clock.millis(),
            actions(blob));
    if (!libraries.add(added)) {
      throw ApiException.of(
          409,
          "exists",
          "Version %s of %s already exists with different content; versions never change."
              .formatted(added.version(), name));
    }
    exchange.json(200, View.of(added));
  }

  private static String version(String text) {
    if (!text.matches(VERSION)) {
      throw ApiException.invalid(
          "version", "version=" + text + ": a version has letters, digits, dots, - and _.");
    }
    return text;
  }

  private BlobId blob(Identity caller, String sha256) {
    if (!sha256.matches("[0-9a-f]{64}") || !files.has(caller, new BlobId(sha256))) {
      throw ApiException.invalid(
          "sha256", "The server has no file with this hash; upload it first.");
    }
    return new BlobId(sha256);
  }

  /** Looks for actions without loading anything of the jar. */
  private List<String> actions(BlobId blob) throws IOException {
    Optional<Path> file = blobs.path(blob);
    if (file.isPresent()) {
      return actions(file.get());
    }
    Path copy = Files.createTempFile("imker-", ".jar");
    try (InputStream in = blobs.open(blob)) {
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
      return actions(copy);
    } finally {
      Files.delete(copy);
    }
  }

  private static List<String> actions(Path jar) throws IOException {
    try {
      ScanReport report = ActionScanner.scanJar(jar);
      if (!report.problems().isEmpty()) {
        throw ApiException.invalid("sha256", String.join(" ", report.problems()));
      }
      if (report.actions().isEmpty()) {
        throw ApiException.invalid(
            "sha256", "The jar has no tasks: a class that extends Task needs @Action.");
      }
      return report.actions().stream().map(ScannedAction::className).sorted().toList();
    } catch (java.util.zip.ZipException e) {
      throw notJar(": " + e.getMessage());
    }
  }

  private static ApiException notJar(String why) {
    return ApiException.invalid("sha256", "The file is not a jar" + why + ".");
  }

  private void remove(Exchange exchange) throws IOException {
    String user = exchange.identity().user();
    String name = exchange.param("name");
    String version = exchange.param("version");
    if (!libraries.remove(user, name, version)) {
      throw ApiException.notFound(
          "You have no version %s of the task library %s.".formatted(version, name));
    }
    exchange.empty(204);
  }
}
