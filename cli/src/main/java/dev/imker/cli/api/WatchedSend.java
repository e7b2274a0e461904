package dev.imker.cli.api;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests to one of several servers, and notices when it stands still or its machine lost
 * power: connections to it stay open and bring nothing. An answer may take its time as long as the
 * server has one to a small question.
 */
final class WatchedSend {
  private static final Duration LOOK_AFTER = Duration.ofSeconds(2);
  private static final Duration QUESTION_WITHIN = Duration.ofSeconds(5);
  private static final String QUESTION = "/api/v1/pool";

  private final HttpClient http;
  private final Duration lookAfter;
  private final Duration questionWithin;

  WatchedSend(HttpClient http) {
    this(http, LOOK_AFTER, QUESTION_WITHIN);
  }

  WatchedSend(HttpClient http, Duration lookAfter, Duration questionWithin) {
    this.http = http;
    this.lookAfter = lookAfter;
    this.questionWithin = questionWithin;
  }

  /**
   * @throws StandsStillException if the server answers nothing any more
   */
  HttpResponse<InputStream> send(
      String server, HttpRequest request, BodyHandler<InputStream> bodyHandler)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<InputStream>> answer = http.sendAsync(request, bodyHandler);
    try {
      while (true) {
        try {
          return answer.get(lookAfter.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          if (!answersAnything(server) && !answer.isDone()) {
            throw new StandsStillException(server);
          }
        }
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure
          ? failure
          : new IOException(String.valueOf(e.getCause()), e);
    } finally {
      answer.cancel(true); // no effect on one that is there
    }
  }

  /**
   * An answer that may go on for long.
   *
   * @param onSilence told when the server is found to stand still
   */
  InputStream watch(String server, InputStream body, Runnable onSilence) {
    return watch(server, body, () -> answersAnything(server), onSilence);
  }

  /**
   * An answer that only a leader can go on with.
   *
   * @param onSilence told when the server is found to stand still, or to follow another one
   */
  InputStream watchLeader(String server, String token, InputStream body, Runnable onSilence) {
    return watch(server, body, () -> leads(server, token), onSilence);
  }

  private interface Look {
    boolean isFine() throws InterruptedException;
  }

  private InputStream watch(String server, InputStream body, Look look, Runnable onSilence) {
    return new WatchedBody(
        server,
        body,
        lookAfter.multipliedBy(2),
        () -> {
          boolean fine = isFine(look);
          if (!fine) {
            onSilence.run();
          }
          return fine;
        });
  }

  private static boolean isFine(Look look) {
    try {
      return look.isFine();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true; // nobody wants to know
    }
  }

  /** Whatever it says, it is there. */
  private boolean answersAnything(String server) throws InterruptedException {
    return ask(question(server)) > 0;
  }

  /** A standby sends whoever asks to the leader, or says that it knows of none. */
  private boolean leads(String server, String token) throws InterruptedException {
    HttpRequest.Builder question = question(server);
    if (!token.isEmpty()) {
      question.header("Authorization", "Bearer " + token);
    }
    int status = ask(question);
    return status > 0 && status != 307 && status != 503;
  }

  private HttpRequest.Builder question(String server) {
    return HttpRequest.newBuilder(URI.create(server + QUESTION)).timeout(questionWithin);
  }

  /** The status of the answer, 0 if there is none. */
  private int ask(HttpRequest.Builder question) throws InterruptedException {
    try {
      return http.send(question.build(), BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return 0;
    }
  }
}
