package dev.imker.server.internal.rest.data;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.BlobId;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.internal.data.PoolDataSets;
import dev.imker.server.internal.data.PoolDataSets.DataSet;
import dev.imker.server.internal.data.PoolDataSets.Kept;
import dev.imker.server.internal.rest.request.BlobAnswers;
import dev.imker.server.internal.rest.request.Checks;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code /api/v1/datasets}: named sets of files for everybody's jobs. */
public record DataSetRoutes(PoolDataSets sets, UserFiles files, BlobStore blobs) {
  private static final int MAX_FILES = 10_000;
  private static final int MAX_BODY_BYTES = 8 << 20;
  private static final int FILE_SEGMENTS = 5;

  record Line(String name, String user, int files, long bytes) {}

  public record Sets(List<Line> sets) {}

  public record View(String name, String user, List<Kept> files) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/datasets", Access.LOOK, this::list),
        Endpoint.get("/api/v1/datasets/{name}", Access.LOOK, this::show),
        Endpoint.put("/api/v1/datasets/{name}", Access.WORK, this::put),
        Endpoint.delete("/api/v1/datasets/{name}", Access.WORK, this::remove),
        Endpoint.get("/api/v1/datasets/{name}/files/{path*}", Access.LOOK, this::file));
  }

  private static String name(Exchange exchange) {
    return Checks.name("name", exchange.param("name"));
  }

  private void list(Exchange exchange) throws IOException {
    List<Line> lines = new ArrayList<>();
    sets.all()
        .forEach(
            (name, set) -> lines.add(new Line(name, set.user(), set.files().size(), set.bytes())));
    exchange.json(200, new Sets(lines));
  }

  private DataSet require(String name) {
    return sets.find(name)
        .orElseThrow(
            () ->
                ApiException.notFound(
                    "There is no data set " + name + "; 'imker chart data list' lists all."));
  }

  private void show(Exchange exchange) throws IOException {
    String name = name(exchange);
    DataSet set = require(name);
    exchange.json(200, new View(name, set.user(), set.files()));
  }

  private void put(Exchange exchange) throws IOException {
    String name = name(exchange);
    JsonFields body = JsonFields.of(exchange.json(MAX_BODY_BYTES), "", Set.of("files"));
    List<Kept> kept = body.list("files", MAX_FILES, DataSetRoutes::kept);
    sets.find(name).ifPresent(earlier -> requireOwner(exchange, name, earlier));
    List<BlobId> missing =
        files.missing(
            exchange.identity(),
            kept.stream().map(file -> new BlobId(file.blob())).distinct().toList());
    if (!missing.isEmpty() || kept.isEmpty()) {
      throw ApiException.invalid(
          "files",
          kept.isEmpty()
              ? "files is empty: a data set needs at least one."
              : "Upload these blobs first: "
                  + String.join(", ", missing.stream().map(BlobId::sha256).toList()));
    }
    for (Kept file : kept) {
      if (files.size(new BlobId(file.blob())) != file.size()) {
        throw ApiException.invalid("files", "The size of " + file.path() + " does not match.");
      }
    }
    DataSet set = new DataSet(exchange.identity().user(), kept);
    sets.put(name, set);
    exchange.json(200, new View(name, set.user(), set.files()));
  }

  private static Kept kept(JsonNode node, String where) {
    JsonFields file = JsonFields.of(node, where, Set.of("path", "blob", "size"));
    String blob = file.text("blob");
    if (!BlobId.isValid(blob)) {
      throw ApiException.invalid(file.at("blob"), file.at("blob") + " must be a SHA-256.");
    }
    return new Kept(
        Checks.path(file.at("path"), file.text("path")),
        blob,
        file.number("size", 0, Long.MAX_VALUE));
  }

  private static void requireOwner(Exchange exchange, String name, DataSet set) {
    boolean own = set.user().equals(exchange.identity().user());
    if (!own && exchange.identity().role() != Role.ADMIN) {
      throw ApiException.of(
          403, "forbidden", "The data set " + name + " belongs to " + set.user() + ".");
    }
  }

  private void remove(Exchange exchange) throws IOException {
    String name = name(exchange);
    requireOwner(exchange, name, require(name));
    sets.remove(name);
    exchange.empty(204);
  }

  private void file(Exchange exchange) throws IOException {
    String name = name(exchange);
    String path = exchange.pathAfter(FILE_SEGMENTS);
    Kept kept =
        require(name).files().stream()
            .filter(file -> file.path().equals(path))
            .findFirst()
            .orElseThrow(
                () -> ApiException.notFound("The data set " + name + " has no file " + path + "."));
    BlobAnswers.send(exchange, blobs, new BlobId(kept.blob()));
  }
}
