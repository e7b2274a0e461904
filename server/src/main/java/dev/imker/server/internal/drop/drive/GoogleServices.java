package dev.imker.server.internal.drop.drive;

import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.http.HttpBackOffIOExceptionHandler;
import com.google.api.client.http.HttpBackOffUnsuccessfulResponseHandler;
import com.google.api.client.http.HttpMethods;
import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.client.http.HttpUnsuccessfulResponseHandler;
import com.google.api.client.http.InputStreamContent;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.JsonFactory;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.client.util.ExponentialBackOff;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Google's own clients, in the name of a service account. */
record GoogleServices(Drive drive, Docs docs, Sheets sheets) {
  private static final String NAME = "Imker";
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int MAX_TRIES = 6;
  private static final int MAX_PATIENCE_MILLIS = 30_000;

  /**
   * @param key the JSON file that Google gives for a service account
   * @param busyMillis the first pause before something is tried again; each is longer
   */
  static GoogleServices open(Path key, GoogleRoots roots, int busyMillis) {
    NetHttpTransport transport = new NetHttpTransport();
    JsonFactory json = GsonFactory.getDefaultInstance();
    HttpRequestInitializer caller = caller(credentials(key), busyMillis);
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
          "The key of the service account cannot be used (%s: %s). See docs/drop-folder.md for how to get one."
              .formatted(key, e.getMessage()),
          e);
    }
  }

  private static HttpRequestInitializer caller(GoogleCredentials credentials, int busyMillis) {
    HttpCredentialsAdapter adapter = new HttpCredentialsAdapter(credentials);
    return request -> {
      adapter.initialize(request);
      request.setConnectTimeout(TIMEOUT_MILLIS);
      request.setReadTimeout(TIMEOUT_MILLIS);
      patient(request, adapter, busyMillis);
    };
  }

  /**
   * Waits, longer each time, when Google is busy, has had too many requests or is not reached. What
   * makes something new is tried again here only if it certainly was not done; else by those who
   * look first whether it is there.
   */
  private static void patient(
      HttpRequest request, HttpUnsuccessfulResponseHandler login, int busyMillis) {
    HttpBackOffUnsuccessfulResponseHandler busy =
        new HttpBackOffUnsuccessfulResponseHandler(backOff(busyMillis))
            .setBackOffRequired(
                response ->
                    response.getStatusCode() == TOO_MANY_REQUESTS
                        || (response.getStatusCode() / 100 == 5 && !makes(response.getRequest())));
    HttpBackOffIOExceptionHandler away = new HttpBackOffIOExceptionHandler(backOff(busyMillis));
    request.setNumberOfRetries(MAX_TRIES);
    request.setUnsuccessfulResponseHandler(
        (asked, response, again) ->
            login.handleResponse(asked, response, again)
                || busy.handleResponse(asked, response, again));
    request.setIOExceptionHandler(
        (asked, again) -> !makes(asked) && away.handleIOException(asked, again));
    request.setInterceptor(GoogleServices::keepPart);
  }

  /**
   * A part of a large file comes from a stream, which is at its end when the part has to be sent
   * once more: Google would wait for bytes that never come.
   */
  private static void keepPart(HttpRequest request) throws IOException {
    if (request.getContent() instanceof InputStreamContent part
        && request.getHeaders().getContentRange() != null) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      part.writeTo(bytes);
      request.setContent(new ByteArrayContent(part.getType(), bytes.toByteArray()));
    }
  }

  /** Changes are sent as POST too, with the method that is meant in a header. */
  private static boolean makes(HttpRequest request) {
    return request.getRequestMethod().equals(HttpMethods.POST)
        && !request.getHeaders().containsKey("x-http-method-override");
  }

  private static ExponentialBackOff backOff(int busyMillis) {
    return new ExponentialBackOff.Builder()
        .setInitialIntervalMillis(busyMillis)
        .setMultiplier(2)
        .setMaxElapsedTimeMillis(MAX_PATIENCE_MILLIS)
        .build();
  }
}
