package dev.imker.wire;

import com.google.protobuf.ByteString;
import dev.imker.wire.failure.RequestFailedException;
import dev.imker.wire.failure.RequestTimeoutException;
import dev.imker.wire.failure.SessionClosedException;
import dev.imker.wire.failure.WireException;
import dev.imker.wire.frame.Frames;
import dev.imker.wire.proto.Accept;
import dev.imker.wire.proto.Open;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An ordered stream of messages in both directions that survives the loss of its connection. All
 * methods may be called by any thread.
 */
public final class Session {

  public record Endpoint(
      MessageDirectory directory,
      WireOptions options,
      SessionListener listener,
      Executor executor) {

    public Mailbox newMailbox() {
      return new Mailbox(executor);
    }
  }

  /** The position of this side, sent to the peer when a connection begins. */
  record Progress(long receivedBytes, long processedBytes) {}

  private final ByteString id;
  private final String peerName;
  private final Endpoint endpoint;
  private final SendBuffer outbox;
  private final Sender sender;
  private final ReceiveWindow inbox;
  private final Mailbox mailbox;
  private final PendingRequests pending = new PendingRequests();
  private final MessageRouter dispatcher;
  private Consumer<String> onSuspend = reason -> {};
  private Runnable onClose = () -> {};
  private int connections;
  private Duration keepAlive;
  private @Nullable KeepAlive pulse;
  private volatile @Nullable CloseReason closed;
  private volatile @Nullable Object attachment;
  private volatile @Nullable Object credential;

  /**
   * @param mailbox delivers messages and notifies the listener; another session may have used it
   *     before
   */
  public Session(
      ByteString id,
      String peerName,
      Endpoint endpoint,
      Mailbox mailbox,
      int peerWindow,
      int peerMaxFrame) {
    this.id = id;
    this.peerName = peerName;
    this.endpoint = endpoint;
    this.mailbox = mailbox;
    WireOptions options = endpoint.options();
    keepAlive = options.keepAlive();
    int maxFrameBytes = Math.min(options.maxFrameBytes(), peerMaxFrame);
    int sendWindow = Math.min(options.windowBytes(), peerWindow);
    outbox = new SendBuffer(options.sendQueueBytes(), sendWindow, maxFrameBytes);
    sender = new Sender(endpoint.directory(), outbox, maxFrameBytes);
    dispatcher = new MessageRouter(this, endpoint.directory(), pending);
    inbox = new ReceiveWindow(this, dispatcher, options, peerWindow);
  }

  /** The name of the peer, as given by the application when it accepted or connected. */
  public String peerName() {
    return peerName;
  }

  /**
   * Random bytes that the accepting side chose for this session only: a signature of them proves
   * current possession of the key and cannot be a replay.
   */
  public byte[] challenge() {
    return id.toByteArray();
  }

  /**
   * The credential with which the peer was admitted, as given by the application when it accepted
   * the connection.
   */
  public @Nullable Object credential() {
    return credential;
  }

  public void credential(@Nullable Object shown) {
    credential = shown;
  }

  /** Sends a message, waiting while the queue is full. Never call it on an event loop. */
  public void send(Object message) {
    sender.send(message, Frames.ONE_WAY);
  }

  /** Sends a message unless the queue is full; returns whether it was queued. */
  public boolean trySend(Object message) {
    return sender.trySend(message, Frames.ONE_WAY);
  }

  /** Sends a message; the future completes when it is queued. Wait for it before sending more. */
  public CompletableFuture<@Nullable Void> sendAsync(Object message) {
    return sender.sendLater(message, Frames.ONE_WAY);
  }

  /**
   * Sends a request and waits for its response. Never call it on an event loop.
   *
   * @throws RequestTimeoutException if none arrived in time
   * @throws RequestFailedException if the peer could not execute it
   * @throws SessionClosedException if the session ended in the meantime
   */
  public <R> R request(Object request, Class<R> responseClass, Duration timeout) {
    if (Context.isOnEventLoopThread()) {
      throw new IllegalStateException("an event loop cannot wait for a response");
    }
    PendingRequests.Pending awaited = begin(request, responseClass, timeout);
    try {
      sender.send(request, Frames.request(awaited.id()));
      return responseClass.cast(awaited.response().get());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof WireException w ? w : new WireException(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting for a response");
    } finally {
      pending.remove(awaited.id());
    }
  }

  /** Like {@link #request} without waiting; the future completes on the delivery executor. */
  public <R> CompletableFuture<R> requestAsync(
      Object request, Class<R> responseClass, Duration timeout) {
    PendingRequests.Pending awaited = begin(request, responseClass, timeout);
    try {
      var _ = sender.sendLater(request, Frames.request(awaited.id()));
    } catch (RuntimeException e) {
      pending.remove(awaited.id());
      throw e;
    }
    return awaited.response().thenApplyAsync(responseClass::cast, endpoint.executor());
  }

  /** Ends the session for good, after what is queued has been sent as far as credit allows. */
  public void close(String reason) {
    Link current = sender.link();
    if (current == null) {
      terminate(new CloseReason(CloseReason.Kind.CLOSED_HERE, reason));
    } else {
      current.execute(
          () -> {
            flush(current);
            end(new CloseReason(CloseReason.Kind.CLOSED_HERE, reason));
          });
    }
  }

  /** Overrides the endpoint's ping interval; three intervals without a frame count as silence. */
  public void keepAlive(Duration interval) {
    synchronized (inbox) {
      Link current = sender.link();
      if (!interval.equals(keepAlive)) {
        keepAlive = interval;
        if (current != null) {
          watch(current);
        }
      }
    }
  }

  /** Whether the session has ended. A suspended one has not. */
  public boolean isClosed() {
    return closed != null;
  }

  /** Whether there is currently a connection. */
  public boolean isConnected() {
    return sender.link() != null;
  }

  /** An object of the application that belongs to this session. */
  public @Nullable Object attachment() {
    return attachment;
  }

  public void attach(@Nullable Object something) {
    attachment = something;
  }

  public SessionStats stats() {
    return new SessionStats(
        outbox.messages(),
        inbox.messages(),
        outbox.heldBytes(),
        inbox.heldBytes(),
        pending.size(),
        inbox.roundTripNanos());
  }

  @Override
  public String toString() {
    return "session with " + peerName;
  }

  // ------------------------------------------------------------------ sending

  private PendingRequests.Pending begin(Object request, Class<?> response, Duration timeout) {
    return pending.add(request.getClass().getSimpleName(), response, timeout);
  }

  void respond(@Nullable Object response, long request, boolean mayWait) {
    throwOutUnless(sender.respond(response, request, mayWait));
  }

  void respondFailure(String reason, long request, boolean mayWait) {
    throwOutUnless(sender.respondFailure(reason, request, mayWait));
  }

  private void throwOutUnless(boolean answersAreRead) {
    if (!answersAreRead) {
      violated("requests are sent but answers are not read");
    }
  }

  boolean confirmedByPeer(long processedBytes) {
    return outbox.confirm(processedBytes);
  }

  void sendControl(byte[] frame) {
    sender.sendControl(frame);
  }

  void flush(Link by) {
    sender.flush(by);
  }

  // ------------------------------------------------------------------ delivery

  /** Whether undelivered messages can be dropped. */
  boolean isDiscarding() {
    CloseReason reason = closed;
    return reason != null
        && reason.kind() != CloseReason.Kind.CLOSED_BY_PEER
        && reason.kind() != CloseReason.Kind.LOST;
  }

  void deliver(Runnable task) {
    mailbox.add(task);
  }

  // ------------------------------------------------------------------ connections

  public ByteString id() {
    return id;
  }

  public long rating() {
    return outbox.messages() + inbox.messages();
  }

  @Nullable Link currentLink() {
    return sender.link();
  }

  public int connections() {
    synchronized (inbox) {
      return connections;
    }
  }

  /** The callbacks for the loss of the connection and the end of the session, each called once. */
  public void onEnd(Consumer<String> suspended, Runnable ended) {
    onSuspend = suspended;
    onClose = ended;
  }

  /** Offers to resume: the {@link Open} message of this session. */
  public Open.Builder offer() {
    Progress progress = inbox.progress();
    return Open.newBuilder()
        .setSessionId(id)
        .setReceivedBytes(progress.receivedBytes())
        .setProcessedBytes(progress.processedBytes());
  }

  /** Replaces a lost connection if both sides still have the necessary data. */
  public boolean acceptResume(Link newLink, Open open, Accept.Builder accept) {
    synchronized (inbox) {
      if (closed != null || !outbox.canResume(open.getReceivedBytes(), open.getProcessedBytes())) {
        return false;
      }
      replaceLink();
      Progress progress = inbox.attach(newLink);
      newLink.write(
          Control.accept(
              accept
                  .setSessionId(id)
                  .setResumed(true)
                  .setReceivedBytes(progress.receivedBytes())
                  .setProcessedBytes(progress.processedBytes())
                  .build()));
      connect(newLink, open.getReceivedBytes(), open.getProcessedBytes());
      confirmAgain(newLink);
      mailbox.add(() -> endpoint.listener().resumed(this));
      return true;
    }
  }

  public boolean resume(Link newLink, Accept accept) {
    synchronized (inbox) {
      if (closed != null
          || !outbox.canResume(accept.getReceivedBytes(), accept.getProcessedBytes())) {
        return false;
      }
      inbox.attach(newLink);
      connect(newLink, accept.getReceivedBytes(), accept.getProcessedBytes());
      confirmAgain(newLink);
      mailbox.add(() -> endpoint.listener().resumed(this));
      return true;
    }
  }

  /** Begins the session on its first connection. */
  public void open(Link first) {
    synchronized (inbox) {
      mailbox.add(() -> endpoint.listener().opened(this));
      inbox.attach(first);
      connect(first, 0, 0);
    }
  }

  private void connect(Link newLink, long peerReceived, long peerProcessed) {
    outbox.attach(newLink, peerReceived, peerProcessed);
    sender.use(newLink);
    connections++;
    newLink.deliverTo(inbox);
    newLink.execute(() -> flush(newLink));
    watch(newLink);
  }

  private void watch(Link link) {
    KeepAlive former = pulse;
    if (former != null) {
      former.cancel();
    }
    pulse = new KeepAlive(link, this, inbox, keepAlive);
    pulse.start();
  }

  /**
   * What was processed during the handshake could not be confirmed, and the peer may be waiting.
   */
  private void confirmAgain(Link newLink) {
    newLink.write(Control.confirm(inbox.progress().processedBytes()));
  }

  private void replaceLink() {
    Link old = sender.link();
    if (old != null) {
      String reason = "another connection has taken over";
      sender.use(null);
      outbox.detach();
      mailbox.add(() -> endpoint.listener().suspended(this, reason));
      old.close(reason);
    }
  }

  void linkClosed(Link which, String reason) {
    synchronized (inbox) {
      if (closed != null || !which.equals(sender.link())) {
        return;
      }
      sender.use(null);
      outbox.detach();
      mailbox.add(() -> endpoint.listener().suspended(this, reason));
    }
    onSuspend.accept(reason);
  }

  /** The peer violated the protocol. */
  void violated(String what) {
    end(new CloseReason(CloseReason.Kind.PROTOCOL_VIOLATION, what));
  }

  /** Notifies the peer and ends the session. */
  public void end(CloseReason reason) {
    terminate(reason, true);
  }

  public void terminate(CloseReason reason) {
    terminate(reason, false);
  }

  /**
   * @param farewell whether the peer is notified; it may hang up immediately, so the session has to
   *     be closed before
   */
  private void terminate(CloseReason reason, boolean farewell) {
    Link old;
    synchronized (inbox) {
      if (closed != null) {
        return;
      }
      closed = reason;
      old = sender.link();
      sender.use(null);
    }
    outbox.close(reason.text());
    pending.failAll(reason.text());
    mailbox.add(() -> endpoint.listener().closed(this, reason));
    if (old != null) {
      if (farewell) {
        old.write(Control.goodbye(reason.text()));
      }
      old.close(reason.text());
    }
    onClose.run();
  }
}
