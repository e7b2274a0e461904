package dev.imker.bench.wire;

import dev.imker.wire.MessageDirectory;
import dev.imker.wire.Session;
import dev.imker.wire.SessionListener;
import dev.imker.wire.WireOptions;
import dev.imker.wire.connect.Acceptor;
import dev.imker.wire.connect.Connector;
import dev.imker.wire.frame.Codec;
import dev.imker.wire.frame.Codecs;
import dev.imker.wire.frame.MalformedFrameException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Our own sessions with their default options, over a WebSocket. */
final class ImkerContender implements Contender {

  /** A request, told apart from one-way messages by its class. */
  public static final class Question {

    private final byte[] payload;

    public Question(byte[] payload) {
      this.payload = payload;
    }
  }

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final boolean inline;
  private final Vertx vertx = Vertx.vertx();

  /**
   * @param inline whether requests are answered by the reading thread or by the delivery thread
   */
  public ImkerContender(boolean inline) {
    this.inline = inline;
  }

  @Override
  public String name() {
    return inline ? "imker inline" : "imker";
  }

  /** The messages, without handlers. */
  public static MessageDirectory.Builder directory() {
    return MessageDirectory.builder()
        .register(200, 1, byte[].class, Codecs.bytes())
        .register(200, 2, Question.class, new QuestionCodec());
  }

  @Override
  public int serve() {
    MessageDirectory.Builder handled = directory().on(byte[].class, (_, _) -> {});
    if (inline) {
      handled.onRequestInline(
          Question.class, (_, question) -> CompletableFuture.completedStage(question));
    } else {
      handled.onRequest(Question.class, (_, question) -> question);
    }
    return serve(handled.build(), WireOptions.defaults());
  }

  /** Serves with other handlers. */
  public int serve(MessageDirectory handled, WireOptions options) {
    Acceptor acceptor = new Acceptor(vertx, handled, options, new SessionListener() {});
    return vertx
        .createHttpServer(Acceptor.configure(new HttpServerOptions().setHost("127.0.0.1"), options))
        .webSocketHandler(socket -> acceptor.accept(socket, "bench"))
        .listen(0)
        .toCompletionStage()
        .toCompletableFuture()
        .join()
        .actualPort();
  }

  public Session open(int port) {
    CompletableFuture<Session> opened = new CompletableFuture<>();
    Connector.builder(vertx, directory().build())
        .addresses(List.of(URI.create("ws://127.0.0.1:" + port + "/")))
        .listener(
            new SessionListener() {
              @Override
              public void opened(Session session) {
                opened.complete(session);
              }
            })
        .start();
    return opened.join();
  }

  @Override
  public Client connect(int port) {
    Session session = open(port);
    return new Client() {
      @Override
      public void send(byte[] payload) {
        session.send(payload);
      }

      @Override
      public byte[] request(byte[] payload) {
        return session.request(new Question(payload), Question.class, TIMEOUT).payload;
      }

      @Override
      public void close() {
        session.close("done");
      }
    };
  }

  private static final class QuestionCodec implements Codec<Question> {

    @Override
    public int sizeBytes(Question message) {
      return message.payload.length;
    }

    @Override
    public void write(Question message, byte[] into, int offset, int length) {
      System.arraycopy(message.payload, 0, into, offset, length);
    }

    @Override
    public Question read(byte[] from, int offset, int length) throws MalformedFrameException {
      return new Question(Codecs.bytes().read(from, offset, length));
    }
  }
}
