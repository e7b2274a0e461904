package dev.imker.cli.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.TextTable;
import dev.imker.model.ImkerException;
import dev.imker.model.job.InputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code imker chart data put|list|remove}: data sets that the pool keeps. */
public final class DataSetCommand {
  private static final String ROUTE = "/api/v1/datasets/";

  private DataSetCommand() {}

  @Command(
      name = "put",
      description = "Store files in the pool under a name, for jobs to use with data: {set: NAME}.")
  public static final class Put extends PoolCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the data set.")
    String name = "";

    @Parameters(
        index = "1..*",
        paramLabel = "FILE",
        arity = "1..*",
        description = "Files, or folders including all of their files.")
    List<Path> files = new ArrayList<>();

    @Override
    public int run(ApiClient api) {
      Map<String, Path> byHash = new LinkedHashMap<>();
      ObjectNode body = ApiClient.json().createObjectNode();
      ArrayNode list = body.putArray("files");
      for (Path file : all()) {
        InputFile described = InputFiles.describe(file.getFileName().toString(), file);
        byHash.put(described.blob().sha256(), file);
        list.addObject()
            .put("path", described.path())
            .put("blob", described.blob().sha256())
            .put("size", described.size());
      }
      InputFiles.sendMissing(api, byHash);
      JsonNode kept = api.put(ROUTE + ApiClient.encode(name), body);
      return show(kept, out -> out.printf("data set %2$s: %1$d files%n", list.size(), name));
    }

    private List<Path> all() {
      List<Path> all = new ArrayList<>();
      for (Path file : files) {
        if (Files.isDirectory(file)) {
          try (Stream<Path> inside = Files.list(file)) {
            all.addAll(inside.filter(Files::isRegularFile).sorted().toList());
          } catch (IOException e) {
            throw new ImkerException(file + " cannot be read: " + e.getMessage(), e);
          }
        } else if (Files.isRegularFile(file)) {
          all.add(file);
        } else {
          throw new ImkerException(file + ": there is no such file.");
        }
      }
      return all;
    }
  }

  @Command(name = "list", description = "List the data sets in the pool.")
  public static final class Listing extends PoolCommand {
    @Override
    public int run(ApiClient api) {
      JsonNode sets = api.get("/api/v1/datasets");
      return table(
          sets,
          "sets",
          new TextTable("NAME", "USER", "FILES", "SIZE"),
          (table, set) ->
              table.add(
                  set.path("name").asText(),
                  set.path("user").asText(),
                  set.path("files").asInt(),
                  set.path("bytes").asLong()));
    }
  }

  @Command(name = "remove", description = "Delete a data set.")
  public static final class Remove extends PoolCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the data set.")
    String name = "";

    @Override
    public int run(ApiClient api) {
      api.delete(ROUTE + ApiClient.encode(name));
      return ExitCodes.OK;
    }
  }
}
