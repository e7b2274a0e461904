package dev.imker.server.internal.drop.drive;

import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.JsonFactory;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.docs.v1.Docs;
import com.google.api.services.docs.v1.DocsScopes;
import com.google.api.services.drive.Drive;
import com.google.api.services.drive.DriveScopes;
import com.google.api.services.sheets.v4.Sheets;
import com.google.api.services.sheets.v4.SheetsScopes;
import com.google.auth.http.HttpCredentialsAdapter;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.ServiceAccountCredentials;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Google's own clients, in the name of a service account. */
record GoogleServices(Drive drive, Docs docs, Sheets sheets) {
  private static final String NAME = "Imker";
  private static final int TIMEOUT_MILLIS = 60_000;

  /**
   * @param key the JSON file that Google gives for a service account
   */
  static GoogleServices open(Path key, GoogleRoots roots) {
    NetHttpTransport transport = new NetHttpTransport();
    JsonFactory json = GsonFactory.getDefaultInstance();
    HttpRequestInitializer caller = caller(credentials(key));
    return new GoogleServices(
        new Drive.Builder(transport, json, caller)
            .setRootUrl(roots.drive())
            .setApplicationName(NAME)
            .build(),
        new Docs.Builder(transport, json, caller)
            .setRootUrl(roots.docs())
            .setApplicationName(NAME)
            .build(),
        new Sheets.Builder(transport, json, caller)
            .setRootUrl(roots.sheets())
            .setApplicationName(NAME)
            .build());
  }

  private static GoogleCredentials credentials(Path key) {
    try (InputStream in = Files.newInputStream(key)) {
      return ServiceAccountCredentials.fromStream(in)
          .createScoped(
              List.of(DriveScopes.DRIVE, DocsScopes.DOCUMENTS_READONLY, SheetsScopes.SPREADSHEETS));
    } catch (IOException e) {
      throw new ImkerException(
          "The key of the service account cannot be used (%s: %s). docs/drop-folder.md says how to get one."
              .formatted(key, e.getMessage()),
          e);
    }
  }

  private static HttpRequestInitializer caller(GoogleCredentials credentials) {
    HttpCredentialsAdapter adapter = new HttpCredentialsAdapter(credentials);
    return request -> {
      adapter.initialize(request);
      request.setConnectTimeout(TIMEOUT_MILLIS);
      request.setReadTimeout(TIMEOUT_MILLIS);
    };
  }
}
