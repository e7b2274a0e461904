package dev.imker.cli.submit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.ApiException;
import dev.imker.cli.options.ServerOptions;
import dev.imker.jobfile.files.DataSets;
import dev.imker.model.BlobId;
import dev.imker.model.job.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** The data sets of the pool, asked for when a file names one. */
record RemoteDataSets(ServerOptions server) implements DataSets {
  @Override
  public List<InputFile> files(String name) throws IOException {
    try (ApiClient api = server.connect()) {
      List<InputFile> files = new ArrayList<>();
      for (JsonNode file : api.get(route(name)).path("files")) {
        files.add(
            new InputFile(
                file.path("path").asText(),
                new BlobId(file.path("blob").asText()),
                file.path("size").asLong(),
                false));
      }
      return files;
    } catch (ApiException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public byte[] read(String name, InputFile file) throws IOException {
    try (ApiClient api = server.connect();
        InputStream in = api.open(route(name) + "/files/" + ApiClient.encode(file.path()))) {
      return in.readAllBytes();
    } catch (ApiException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static String route(String name) {
    return "/api/v1/datasets/" + ApiClient.encode(name);
  }
}
