package dev.imker.wire.connect;

import com.google.protobuf.ByteString;
import dev.imker.wire.CloseReason;
import dev.imker.wire.Control;
import dev.imker.wire.Link;
import dev.imker.wire.MessageDirectory;
import dev.imker.wire.Session;
import dev.imker.wire.SessionListener;
import dev.imker.wire.WireOptions;
import dev.imker.wire.frame.MalformedFrameException;
import dev.imker.wire.proto.Accept;
import dev.imker.wire.proto.Open;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The accepting side: creates sessions from WebSockets that a server has authenticated. Keeps
 * disconnected sessions for a while, and limits the number of sessions.
 */
public final class Acceptor {

  private static final int SESSION_ID_BYTES = 16;

  /** How long a closed connection may linger for the peer's answer. */
  static final int CLOSING_SECONDS = 2;

  private final Vertx vertx;
  private final WireOptions options;
  private final Session.Endpoint endpoint;
  private final SecureRandom random = new SecureRandom();
  private final ConcurrentHashMap<ByteString, Session> sessions = new ConcurrentHashMap<>();

  /**
   * @param executor runs handlers and listener; one task at a time per session
   */
  public Acceptor(
      Vertx vertx,
      MessageDirectory directory,
      WireOptions options,
      SessionListener listener,
      Executor executor) {
    this.vertx = vertx;
    this.options = options;
    this.endpoint = new Session.Endpoint(directory, options, listener, executor);
  }

  /** Handlers and listener run on virtual threads. */
  public Acceptor(
      Vertx vertx, MessageDirectory directory, WireOptions options, SessionListener listener) {
    this(vertx, directory, options, listener, VirtualThreads.EXECUTOR);
  }

  /** Configures the server that owns the port for these sessions. */
  public static HttpServerOptions configure(HttpServerOptions server, WireOptions options) {
    return server
        .setMaxWebSocketFrameSize(options.maxFrameBytes())
        .setMaxWebSocketMessageSize(options.maxFrameBytes())
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false)
        .setWebSocketClosingTimeout(CLOSING_SECONDS)
        .setTcpNoDelay(true);
  }

  /**
   * Accepts a WebSocket whose upgrade the server has authenticated; to be called in the server's
   * WebSocket handler.
   *
   * @param peerName identity of the peer; only the same peer can resume a session
   */
  public void accept(ServerWebSocket socket, String peerName) {
    accept(socket, peerName, null);
  }

  /**
   * As above.
   *
   * @param credential with which the peer was admitted; see {@link Session#credential()}
   */
  public void accept(ServerWebSocket socket, String peerName, @Nullable Object credential) {
    Context current = Vertx.currentContext();
    Handshake handshake = new Handshake(new Peer(peerName, credential));
    Link link =
        new WebSocketLink(
            socket, current != null ? current : vertx.getOrCreateContext(), options, handshake);
    var _ =
        ForkJoinPool.commonPool()
            .schedule(
                () -> handshake.expire(link),
                options.handshakeWithin().toMillis(),
                TimeUnit.MILLISECONDS);
  }

  /** All sessions that are not closed, suspended ones included. */
  public Collection<Session> sessions() {
    return List.copyOf(sessions.values());
  }

  public void close(String reason) {
    sessions().forEach(session -> session.close(reason));
  }

  /** The peer of a connection. */
  private record Peer(String name, @Nullable Object credential) {}

  /** Waits for the first frame of a connection. */
  private final class Handshake implements Link.Receiver {

    private final Peer peer;
    private boolean done;

    Handshake(Peer peer) {
      this.peer = peer;
    }

    @Override
    public synchronized void onFrame(Link from, byte[] frame) {
      if (done) {
        return;
      }
      done = true;
      try {
        negotiate(from, Control.only(frame, Control.OPEN, Open.parser()), peer);
      } catch (MalformedFrameException e) {
        refuse(from, "malformed handshake: " + e.getMessage());
      }
    }

    @Override
    public synchronized void onClosed(Link link, String reason) {
      done = true;
    }

    synchronized void expire(Link link) {
      if (!done) {
        done = true;
        refuse(link, "no handshake in time");
      }
    }
  }

  private void negotiate(Link link, Open open, Peer peer) {
    int version = Math.min(open.getMaxVersion(), Control.NEWEST_VERSION);
    if (version < Control.OLDEST_VERSION || version < open.getMinVersion()) {
      refuse(
          link,
          "this side supports protocol versions %d to %d, the other one %d to %d: update the older side"
              .formatted(
                  Control.OLDEST_VERSION,
                  Control.NEWEST_VERSION,
                  open.getMinVersion(),
                  open.getMaxVersion()));
      return;
    }
    if (open.getWindowBytes() <= 0 || open.getMaxFrameBytes() < WireOptions.COALESCED_FRAME_BYTES) {
      refuse(link, "window or frame limit is too small");
      return;
    }
    Accept.Builder accept =
        Accept.newBuilder()
            .setVersion(version)
            .setWindowBytes(options.windowBytes())
            .setMaxFrameBytes(options.maxFrameBytes());
    Session known = sessions.get(open.getSessionId());
    if (known == null || !known.peerName().equals(peer.name)) {
      openNew(link, open, accept, peer);
    } else if (!known.acceptResume(link, open, accept)) {
      known.terminate(new CloseReason(CloseReason.Kind.LOST, "the session cannot be resumed"));
      openNew(link, open, accept, peer);
    }
  }

  private void openNew(Link link, Open open, Accept.Builder accept, Peer peer) {
    makeRoom();
    Session session =
        new Session(
            newId(),
            peer.name,
            endpoint,
            endpoint.newMailbox(),
            open.getWindowBytes(),
            open.getMaxFrameBytes());
    session.credential(peer.credential);
    session.onEnd(reason -> expireLater(session), () -> sessions.remove(session.id(), session));
    sessions.put(session.id(), session);
    link.write(Control.accept(accept.setSessionId(session.id()).setResumed(false).build()));
    session.open(link);
  }

  private void makeRoom() {
    while (sessions.size() >= options.maxSessions()) {
      sessions.values().stream()
          .min(Comparator.comparing(Session::isConnected).thenComparingLong(Session::rating))
          .ifPresent(
              least ->
                  least.end(
                      new CloseReason(
                          CloseReason.Kind.EVICTED,
                          "too many sessions; this one was the least active")));
    }
  }

  private void expireLater(Session session) {
    int connections = session.connections();
    var _ =
        ForkJoinPool.commonPool()
            .schedule(
                () -> expire(session, connections),
                options.resumeWithin().toMillis(),
                TimeUnit.MILLISECONDS);
  }

  private static void expire(Session session, int connections) {
    if (!session.isConnected() && session.connections() == connections) {
      session.terminate(new CloseReason(CloseReason.Kind.LOST, "the peer did not come back"));
    }
  }

  private ByteString newId() {
    byte[] id = new byte[SESSION_ID_BYTES];
    random.nextBytes(id);
    return ByteString.copyFrom(id);
  }

  private static void refuse(Link link, String reason) {
    link.write(Control.refuse(reason));
    link.close(reason);
  }
}
