package dev.imker.wire.connect;

import com.google.protobuf.ByteString;
import dev.imker.wire.CloseReason;
import dev.imker.wire.Control;
import dev.imker.wire.KeepAlive;
import dev.imker.wire.Link;
import dev.imker.wire.Mailbox;
import dev.imker.wire.MessageDirectory;
import dev.imker.wire.Session;
import dev.imker.wire.SessionListener;
import dev.imker.wire.WireOptions;
import dev.imker.wire.frame.FrameReader;
import dev.imker.wire.frame.Frames;
import dev.imker.wire.frame.MalformedFrameException;
import dev.imker.wire.proto.Accept;
import dev.imker.wire.proto.Open;
import dev.imker.wire.proto.Refuse;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connecting side: keeps one session with any address that answers, and reconnects
 * automatically for ever. All its state belongs to one event loop.
 */
public final class Connector {

  private static final int MAX_HOPS = 3;
  private static final long SOON_MILLIS = 250;

  private final WireOptions options;
  private final ServerRound servers;
  private final UpgradeRequests requests;
  private final Consumer<ConnectionState> onState;
  private final Session.Endpoint endpoint;

  /**
   * Shared by all its sessions: the listener is notified of the end of one before the beginning of
   * the next.
   */
  private final Mailbox mailbox;

  private final Context context;
  private final Vertx vertx;
  private final WebSocketClient client;
  private final Backoff backoff;
  private volatile @Nullable Session session;
  private volatile boolean stopped;
  private int hops;
  private boolean connected;
  private long connectedNanos;

  private Connector(Builder builder) {
    options = builder.options;
    servers = new ServerRound(builder.addresses);
    requests = new UpgradeRequests(Map.copyOf(builder.headers), builder.proxies);
    onState = builder.onState;
    endpoint = new Session.Endpoint(builder.directory, options, builder.listener, builder.executor);
    mailbox = endpoint.newMailbox();
    vertx = builder.vertx;
    context = vertx.getOrCreateContext();
    client = vertx.createWebSocketClient(UpgradeRequests.client(options, builder.fingerprint));
    backoff = new Backoff(builder.firstRetry, builder.longestRetry, ThreadLocalRandom.current());
  }

  public static Builder builder(Vertx vertx, MessageDirectory directory) {
    return new Builder(vertx, directory);
  }

  /** The session, connected or suspended; empty before the first and after the last. */
  public Optional<Session> session() {
    Session current = session;
    return current == null || current.isClosed() ? Optional.empty() : Optional.of(current);
  }

  /** Other addresses to try from the next connection on. */
  public void addresses(List<URI> inOrder) {
    List<URI> fresh = List.copyOf(inOrder);
    context.runOnContext(_ -> servers.replace(fresh));
  }

  /** Closes the session and stops connecting. */
  public void close(String reason) {
    context.runOnContext(
        _ -> {
          if (stopped) {
            return;
          }
          stopped = true;
          Session current = session;
          if (current != null) {
            current.close(reason);
          }
          onState.accept(new ConnectionState.Stopped());
        });
  }

  private void connect() {
    if (!stopped) {
      connect(servers.next());
    }
  }

  private long patienceMillis() {
    return servers.patienceMillis(Math.max(1, options.handshakeWithin().toMillis()));
  }

  private void connect(URI address) {
    onState.accept(new ConnectionState.Connecting(address));
    client
        .connect(requests.to(address, patienceMillis()))
        .onComplete(
            result -> {
              if (result.succeeded()) {
                handshake(address, result.result());
              } else {
                failed(address, result);
              }
            });
  }

  private void failed(URI address, AsyncResult<WebSocket> result) {
    Throwable cause = result.cause();
    if (cause instanceof UpgradeRejectedException rejected) {
      String location =
          rejected.getHeaders() == null ? null : rejected.getHeaders().get("Location");
      if (rejected.getStatus() == 307 && location != null && hops++ < MAX_HOPS) {
        follow(UpgradeRequests.webSocket(address, location));
        return;
      }
      if (rejected.getStatus() == 307 || rejected.getStatus() == 503) {
        soon("no server leads the pool at the moment");
        return;
      }
      String body =
          rejected.getBody() == null ? "" : rejected.getBody().toString(StandardCharsets.UTF_8);
      String text = body.isBlank() ? "HTTP status " + rejected.getStatus() : body;
      refused(text, rejected.getStatus());
    } else if (hops > 0) {
      // The server that redirected here does not know yet that the leader has gone; there will be a
      // new leader soon.
      soon("the server that leads the pool does not answer: " + rootMessage(cause));
    } else {
      retry(rootMessage(cause));
    }
  }

  private void follow(URI leader) {
    if (servers.isAvoided(leader)) {
      soon("the server that leads the pool does not answer");
    } else {
      connect(leader);
    }
  }

  /**
   * The innermost message is the most specific: a rejected certificate is wrapped several times.
   */
  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String text = root.getMessage();
    if (text != null && text.contains("unable to find valid certification path")) {
      return "its certificate is signed by nobody whom the Java of this machine trusts";
    }
    return text == null ? root.toString() : text;
  }

  private void handshake(URI address, WebSocket socket) {
    Handshake handshake = new Handshake(address);
    Link link;
    try {
      link = new WebSocketLink(socket, context, options, handshake);
    } catch (IllegalStateException e) {
      retry("the connection was lost before the handshake");
      return;
    }
    Session current = session;
    Open.Builder open = current == null || current.isClosed() ? Open.newBuilder() : current.offer();
    link.write(
        Control.open(
            open.setMinVersion(Control.OLDEST_VERSION)
                .setMaxVersion(Control.NEWEST_VERSION)
                .setWindowBytes(options.windowBytes())
                .setMaxFrameBytes(options.maxFrameBytes())
                .build()));
    vertx.setTimer(patienceMillis(), _ -> handshake.expire(link));
  }

  /** Waits for the answer to Open. */
  private final class Handshake implements Link.Receiver {

    private final URI address;
    private boolean done;

    Handshake(URI address) {
      this.address = address;
    }

    @Override
    public synchronized void onFrame(Link from, byte[] frame) {
      if (done) {
        return;
      }
      done = true;
      try {
        FrameReader reader = new FrameReader(frame, options.maxFrameBytes());
        if (reader.next()
            && reader.type() == Frames.CONTROL
            && reader.subtype() == Control.REFUSE) {
          from.close("refused");
          refused(Control.read(reader, Refuse.parser()).getReason(), 0);
          return;
        }
        begin(from, address, Control.only(frame, Control.ACCEPT, Accept.parser()));
      } catch (MalformedFrameException e) {
        from.close("malformed handshake");
        retry("the server's handshake is malformed: " + e.getMessage());
      }
    }

    @Override
    public synchronized void onClosed(Link link, String reason) {
      if (!done) {
        done = true;
        retry(reason);
      }
    }

    synchronized void expire(Link link) {
      if (!done) {
        done = true;
        link.close("no handshake in time");
        retry("the server did not answer the handshake in time");
      }
    }
  }

  private void begin(Link link, URI address, Accept accept) throws MalformedFrameException {
    Session old = session;
    if (stopped) {
      link.close("stopped");
      return;
    }
    boolean resumed = accept.getResumed() && old != null && old.resume(link, accept);
    if (!resumed) {
      if (accept.getResumed()) {
        link.close("cannot resume");
        forget(old);
        retry("the session could not be resumed");
        return;
      }
      forget(old);
      openNew(link, accept);
    }
    connectedNanos = System.nanoTime();
    connected = true;
    hops = 0;
    servers.connected(address);
    onState.accept(new ConnectionState.Connected(address, resumed));
  }

  private static void forget(@Nullable Session old) {
    if (old != null) {
      old.onEnd(reason -> {}, () -> {});
      old.terminate(
          new CloseReason(CloseReason.Kind.LOST, "the peer no longer knows this session"));
    }
  }

  private void openNew(Link link, Accept accept) throws MalformedFrameException {
    if (accept.getVersion() < Control.OLDEST_VERSION
        || accept.getVersion() > Control.NEWEST_VERSION) {
      throw new MalformedFrameException("version " + accept.getVersion() + " was not offered");
    }
    if (accept.getWindowBytes() <= 0
        || accept.getMaxFrameBytes() < WireOptions.COALESCED_FRAME_BYTES) {
      throw new MalformedFrameException("window or frame limit is too small");
    }
    ByteString id = accept.getSessionId();
    Session fresh =
        new Session(
            id, "server", endpoint, mailbox, accept.getWindowBytes(), accept.getMaxFrameBytes());
    fresh.onEnd(this::lost, () -> lost("the session was closed"));
    session = fresh;
    fresh.open(link);
  }

  private void lost(String reason) {
    context.runOnContext(
        _ -> {
          if (reason.equals(KeepAlive.SILENT)) {
            servers.wentSilent();
          }
          retry(reason);
        });
  }

  private void retry(String reason) {
    if (!stopped) {
      if (connected) {
        connected = false;
        backoff.lasted(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - connectedNanos));
      }
      boolean others = servers.failed();
      again(
          reason,
          others ? 1 + ThreadLocalRandom.current().nextLong(SOON_MILLIS) : backoff.nextMillis());
    }
  }

  /** A server that is about to lead, or to learn who does, is asked again soon. */
  private void soon(String reason) {
    if (!stopped) {
      servers.answeredWithoutLeader();
      again(reason, SOON_MILLIS + ThreadLocalRandom.current().nextLong(SOON_MILLIS));
    }
  }

  private void again(String reason, long millis) {
    hops = 0;
    onState.accept(new ConnectionState.Waiting(reason, millis));
    vertx.setTimer(millis, _ -> context.runOnContext(_ -> connect()));
  }

  private void refused(String reason, int httpStatus) {
    if (!stopped) {
      long millis = backoff.slowMillis();
      servers.refused();
      onState.accept(new ConnectionState.Refused(reason, httpStatus, millis));
      vertx.setTimer(millis, _ -> context.runOnContext(_ -> connect()));
    }
  }

  public static final class Builder {

    private final Vertx vertx;
    private final MessageDirectory directory;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private List<URI> addresses = List.of();
    private WireOptions options = WireOptions.defaults();
    private SessionListener listener = new SessionListener() {};
    private Consumer<ConnectionState> onState = state -> {};
    private Executor executor = VirtualThreads.EXECUTOR;
    private @Nullable String fingerprint;
    private @Nullable ProxySelector proxies;
    private Duration firstRetry = Duration.ofMillis(500);
    private Duration longestRetry = Duration.ofSeconds(15);

    private Builder(Vertx vertx, MessageDirectory directory) {
      this.vertx = vertx;
      this.directory = directory;
    }

    /** Addresses ({@code ws://} or {@code wss://}), tried in order. */
    public Builder addresses(List<URI> inOrder) {
      addresses = inOrder;
      return this;
    }

    /** Header of the upgrade request, for the bearer token for instance. */
    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /** Trust only the certificate with this SHA-256 fingerprint (hex, colons allowed). */
    public Builder pinnedSha256(String hex) {
      fingerprint = hex;
      return this;
    }

    /** Which HTTP proxy leads to an address; that of the whole process unless set. */
    public Builder proxies(ProxySelector selector) {
      proxies = selector;
      return this;
    }

    public Builder options(WireOptions limits) {
      options = limits;
      return this;
    }

    public Builder listener(SessionListener ofSessions) {
      listener = ofSessions;
      return this;
    }

    /** Notified of every change, on the event loop: do not block. */
    public Builder onState(Consumer<ConnectionState> ofConnection) {
      onState = ofConnection;
      return this;
    }

    /** Runs handlers and listener; virtual threads unless set. */
    public Builder executor(Executor delivery) {
      executor = delivery;
      return this;
    }

    /** Delay before the first and longest delay before any later attempt. */
    public Builder retry(Duration first, Duration longest) {
      firstRetry = first;
      longestRetry = longest;
      return this;
    }

    /** Starts connecting; returns immediately. */
    public Connector start() {
      if (addresses.isEmpty()) {
        throw new IllegalStateException("no address to connect to");
      }
      Connector connector = new Connector(this);
      connector.context.runOnContext(_ -> connector.connect());
      return connector;
    }
  }
}
