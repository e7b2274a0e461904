package dev.imker.server.internal.drop.dav;

import dev.imker.model.http.Answer;
import dev.imker.model.http.HttpExchanges;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is done with files of a WebDAV server (RFC 4918). Paths are relative to a folder there.
 * Every request ends: it may take only so long, be silent for only so long, and its answer have
 * only so many bytes. Redirects are not followed, or the password went elsewhere. For several
 * threads.
 */
final class DavFiles implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(20);
  static final Duration MAX_SILENCE = Duration.ofMinutes(5);
  private static final Duration MAX_TIME = Duration.ofMinutes(10);

  /** Files may take longer, at so many bytes a second. */
  private static final long SLOWEST_BYTES_PER_SECOND = 64 << 10;

  private static final int MAX_ANSWER_BYTES = 64 << 20;
  private static final int MAX_TRIES = 5;
  private static final int OK = 200;
  private static final int MULTI_STATUS = 207;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;
  private static final int FAILED = 500;

  /** The server has no time, or somebody holds a lock: it certainly was not done. */
  private static final Set<Integer> BUSY = Set.of(423, 429, 503);

  private static final String PROPERTIES =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?><propfind xmlns=\"DAV:\"><prop>"
          + "<getetag/><getcontentlength/><getlastmodified/><resourcetype/></prop></propfind>";

  private final HttpExchanges http = new HttpExchanges("", null, CONNECT);
  private final URI root;
  private final String login;
  private final long pauseMillis;
  private final Duration maxSilence;

  /** The server does not permit something, whoever it may be about. */
  static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String words) {
      super(words);
    }
  }

  /** There was no answer, or not the whole of it. */
  private static final class UnreachableException extends IOException {
    private static final long serialVersionUID = 1;

    UnreachableException(String words, IOException cause) {
      super(words, cause);
    }
  }

  /**
   * @param root ends with a slash
   * @param login the header that tells who is asking
   * @param pauseMillis before something is tried again; longer each time
   * @param maxSilence how long no byte may move
   */
  DavFiles(URI root, String login, long pauseMillis, Duration maxSilence) {
    this.root = root;
    this.login = login;
    this.pauseMillis = pauseMillis;
    this.maxSilence = maxSilence;
  }

  // ---------------------------------------------------------------- looking

  Optional<DavEntry> stat(String path) throws IOException {
    return propfind(path, "0").stream().findFirst();
  }

  boolean exists(String path) throws IOException {
    return stat(path).isPresent();
  }

  /** What is in a folder, sorted; nothing if it is not there. */
  List<DavEntry> entries(String folder) throws IOException {
    List<DavEntry> all = new ArrayList<>(propfind(folder, "1"));
    all.removeIf(entry -> entry.path().equals(folder));
    all.sort(Comparator.comparing(DavEntry::path));
    return all;
  }

  /** All files below a folder. */
  List<DavEntry> files(String folder) throws IOException {
    List<DavEntry> all = new ArrayList<>();
    for (DavEntry entry : entries(folder)) {
      if (entry.folder()) {
        all.addAll(files(entry.path()));
      } else {
        all.add(entry);
      }
    }
    return all;
  }

  /** Everything below a folder that holds nothing itself: files and empty folders. */
  List<DavEntry> leaves(String folder) throws IOException {
    List<DavEntry> all = new ArrayList<>();
    for (DavEntry entry : entries(folder)) {
      List<DavEntry> below = entry.folder() ? leaves(entry.path()) : List.of();
      if (below.isEmpty()) {
        all.add(entry);
      } else {
        all.addAll(below);
      }
    }
    return all;
  }

  private List<DavEntry> propfind(String path, String depth) throws IOException {
    Answer answer =
        send(
            request(path)
                .header("Depth", depth)
                .header("Content-Type", "application/xml")
                .method("PROPFIND", BodyPublishers.ofString(PROPERTIES)),
            true);
    if (answer.status() == NOT_FOUND) {
      return List.of();
    }
    require(answer, path, Set.of(MULTI_STATUS));
    return DavEntry.read(answer.body(), root.getPath());
  }

  byte[] read(String path) throws IOException {
    Answer answer = send(request(path).GET(), true);
    require(answer, path, Set.of(OK));
    return answer.body();
  }

  // ---------------------------------------------------------------- changing

  /** Makes a folder and those that it is in, where they are not there yet. */
  void folders(String path) throws IOException {
    if (path.isEmpty()) {
      return;
    }
    if (make(path) == CONFLICT) {
      folders(parent(path));
      if (make(path) == CONFLICT) {
        throw new IOException("The folder " + path + " cannot be made on " + root.getHost());
      }
    }
  }

  private int make(String path) throws IOException {
    Answer answer = send(request(path + "/").method("MKCOL", BodyPublishers.noBody()), true);
    return require(answer, path, Set.of(201, NOT_ALLOWED, CONFLICT));
  }

  static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  void write(String path, byte[] content) throws IOException {
    write(path, BodyPublishers.ofByteArray(content));
  }

  void write(String path, Path content) throws IOException {
    write(path, BodyPublishers.ofFile(content));
  }

  private void write(String path, BodyPublisher content) throws IOException {
    Set<Integer> written = Set.of(OK, 201, 204);
    Answer answer = send(request(path).PUT(content), true);
    if (answer.status() == CONFLICT || answer.status() == NOT_FOUND) {
      folders(parent(path));
      answer = send(request(path).PUT(content), true);
    }
    require(answer, path, written);
  }

  /**
   * Moves in one step, which only one of many can do; false if there is something of that name.
   *
   * @throws FileNotFoundException if it is not there any more; the server may have moved it and
   *     said something else
   */
  boolean move(String path, String target) throws IOException {
    Answer answer = moved(path, target);
    if (answer.status() == CONFLICT || answer.status() == FAILED) {
      folders(parent(target)); // servers do not agree on what says that it is missing
      answer = moved(path, target);
    }
    return require(answer, path, Set.of(201, 204, PRECONDITION_FAILED)) != PRECONDITION_FAILED;
  }

  private Answer moved(String path, String target) throws IOException {
    return send(
        request(path)
            .header("Destination", uri(target).toString())
            .header("Overwrite", "F")
            .method("MOVE", BodyPublishers.noBody()),
        false);
  }

  /** Removes a file, or a folder with all that is in it; false if it is not there. */
  boolean delete(String path) throws IOException {
    Set<Integer> expected = Set.of(OK, 204, NOT_FOUND);
    try {
      Answer answer = send(request(path).DELETE(), false);
      if (answer.status() / 100 != 5) {
        return require(answer, path, expected) != NOT_FOUND;
      }
    } catch (UnreachableException e) {
      // It may have been done.
    }
    require(send(request(path).DELETE(), true), path, expected);
    return true; // now, or by the first try
  }

  // ---------------------------------------------------------------- requests

  private URI uri(String path) {
    return root.resolve(DavEntry.encoded(path));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri(path)).header("Authorization", login);
  }

  /**
   * Tries again, after longer and longer pauses, if the server has no time.
   *
   * @param repeatable whether doing it twice is like doing it once: then it is tried again also if
   *     it may have been done
   */
  private Answer send(HttpRequest.Builder request, boolean repeatable) throws IOException {
    long pause = pauseMillis;
    for (int tries = 1; ; tries++) {
      try {
        Answer answer = exchange(request.build());
        int status = answer.status();
        boolean again = BUSY.contains(status) || (repeatable && status / 100 == 5);
        if (!again || tries == MAX_TRIES) {
          return answer;
        }
      } catch (IOException e) {
        if (!repeatable || tries == MAX_TRIES) {
          throw new UnreachableException(root.getHost() + " cannot be reached: " + e, e);
        }
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
      pause(pause);
      pause *= 2;
    }
  }

  private Answer exchange(HttpRequest request) throws IOException, InterruptedException {
    long bytes = Math.max(0, request.bodyPublisher().map(BodyPublisher::contentLength).orElse(0L));
    Duration time = MAX_TIME.plusSeconds(bytes / SLOWEST_BYTES_PER_SECOND);
    long startNanos = System.nanoTime();
    HttpResponse<InputStream> answer =
        http.open(
            request,
            maxSilence,
            _ ->
                System.nanoTime() - startNanos > time.toNanos()
                    ? "the request took longer than " + time.toSeconds() + " s"
                    : "");
    try (InputStream body = answer.body()) {
      byte[] read = body.readNBytes(MAX_ANSWER_BYTES + 1);
      if (read.length > MAX_ANSWER_BYTES) {
        throw new IOException("the answer is larger than " + MAX_ANSWER_BYTES + " bytes");
      }
      return new Answer(answer.statusCode(), answer.headers(), read);
    }
  }

  private static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IOException("interrupted", e);
  }

  private int require(Answer answer, String path, Set<Integer> expected) throws IOException {
    int status = answer.status();
    if (expected.contains(status)) {
      return status;
    }
    String shown = path.isEmpty() ? "The folder" : path;
    throw switch (status) {
      case NOT_FOUND -> new FileNotFoundException(shown + " no longer exists");
      case UNAUTHORIZED ->
          new IOException(root.getHost() + " rejects the name and password in the key file");
      case FORBIDDEN -> new RefusedException(root.getHost() + " does not permit it: " + shown);
      default -> new IOException(shown + ": " + root.getHost() + " answers with status " + status);
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
