package dev.imker.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.connection.JoinToken;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.TaskRules;
import dev.imker.model.job.TaskTemplate;
import dev.imker.wire.MessageDirectory;
import dev.imker.wire.MessageTypes;
import dev.imker.wire.Session;
import dev.imker.wire.SessionListener;
import dev.imker.wire.WireOptions;
import dev.imker.wire.connect.Acceptor;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.PlatformChanged;
import dev.imker.wire.proto.Refused;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.Welcome;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server as agents see it: real sessions over loopback, blobs in memory, no scheduler. */
public final class FakeServer {
  static final String SECRET = "join-secret";
  private static final String BLOB_TOKEN = "blob-token";
  private static final long PATIENCE_SECONDS = 60;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  public final BlockingQueue<Hello> hellos = new LinkedBlockingQueue<>();
  public final BlockingQueue<Finished> finished = new LinkedBlockingQueue<>();
  public final BlockingQueue<LogChunk> chunks = new LinkedBlockingQueue<>();
  public final BlockingQueue<SignOfLife> signs = new LinkedBlockingQueue<>();
  final BlockingQueue<PlatformChanged> platforms = new LinkedBlockingQueue<>();
  public final BlockingQueue<Drain> drains = new LinkedBlockingQueue<>();
  final BlockingQueue<Checkpoint> checkpoints = new LinkedBlockingQueue<>();
  public final Map<String, byte[]> blobs;

  /** How often each blob was fetched. */
  final Map<String, Integer> fetched = new ConcurrentHashMap<>();

  /** Of every agent, in the order in which they came. */
  final List<Session> sessions = new CopyOnWriteArrayList<>();

  public volatile boolean confirming = true;

  /** What agents are told of leases; 0: nothing. */
  volatile int leaseMillis;

  /** Whether signs of life are answered. */
  volatile boolean answering;

  /** Whether requests for blobs are left without an answer; and how many were. */
  volatile boolean silent;

  final AtomicInteger unanswered = new AtomicInteger();
  public volatile String refusal = "";
  public volatile @Nullable JobDescription onDemand;
  private final Vertx vertx = Vertx.vertx();
  private final HttpServer http;
  private volatile @Nullable Session session;

  public FakeServer() throws Exception {
    this(0, new ConcurrentHashMap<>());
  }

  private FakeServer(int port, Map<String, byte[]> blobs) throws Exception {
    this.blobs = blobs;
    WireOptions options = WireOptions.defaults();
    Acceptor acceptor = new Acceptor(vertx, directory(), options, new SessionListener() {});
    http =
        vertx
            .createHttpServer(Acceptor.configure(new HttpServerOptions(), options))
            .webSocketHandshakeHandler(
                handshake -> {
                  String given = handshake.headers().get("Authorization");
                  if (("Bearer " + SECRET).equals(given)) {
                    handshake.accept();
                  } else {
                    handshake.reject(401);
                  }
                })
            .webSocketHandler(socket -> acceptor.accept(socket, "agent"))
            .requestHandler(this::blob)
            .listen(port, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  public JoinToken join() {
    return join(SECRET);
  }

  public JoinToken join(String secret) {
    return new JoinToken(List.of("http://127.0.0.1:" + http.actualPort()), secret, "");
  }

  /** Goes away; the same server, knowing nothing of its sessions, comes back. */
  public FakeServer restart() throws Exception {
    int port = http.actualPort();
    close();
    return new FakeServer(port, blobs);
  }

  private MessageDirectory directory() {
    return MessageTypes.directory()
        .on(Hello.class, this::onHello)
        .on(Finished.class, this::onFinished)
        .on(LogChunk.class, (_, chunk) -> chunks.add(chunk))
        .on(SignOfLife.class, this::onSign)
        .on(Drain.class, (_, drain) -> drains.add(drain))
        .on(PlatformChanged.class, (_, changed) -> platforms.add(changed))
        .on(Checkpoint.class, (_, checkpoint) -> checkpoints.add(checkpoint))
        .on(
            NeedJob.class,
            (from, _) -> {
              JobDescription description = onDemand;
              if (description != null) {
                from.send(description);
              }
            })
        .build();
  }

  private void onHello(Session from, Hello hello) {
    session = from;
    sessions.add(from);
    if (!refusal.isEmpty()) {
      from.send(Refused.newBuilder().setReason(refusal).build());
      return;
    }
    from.send(
        Welcome.newBuilder()
            .setProtocol(1)
            .setPool("test pool")
            .setVersion("1")
            .setEpoch(1)
            .setSignOfLifeMillis(100)
            .setLeaseMillis(leaseMillis)
            .setBlobToken(BLOB_TOKEN)
            .build());
    hellos.add(hello);
  }

  private void onSign(Session from, SignOfLife sign) {
    if (answering) {
      from.send(SignOfLifeReply.newBuilder().setSentMillis(sign.getSentMillis()).build());
    }
    signs.add(sign);
  }

  private void onFinished(Session from, Finished report) {
    if (confirming) {
      from.send(Confirmed.newBuilder().setLease(report.getLease()).setAccepted(true).build());
    }
    finished.add(report);
  }

  public void send(Object message) {
    Session current = session;
    if (current == null) {
      throw new AssertionError("no agent has come yet");
    }
    current.send(message);
  }

  public static JobDescription describe(TaskTemplate template) {
    try {
      return JobDescription.newBuilder()
          .setJob(template.job().value())
          .setSpecJson(ByteString.copyFrom(JSON.writeValueAsBytes(template)))
          .build();
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  public static Job job(long id, String... command) {
    return new Job(
        id, JobKind.COMMAND, List.of(command), List.of(), Map.of(), List.of(), List.of());
  }

  /** A job in the making. */
  public record Job(
      long id,
      JobKind kind,
      List<String> command,
      List<String> params,
      Map<String, String> env,
      List<InputFile> inputs,
      List<String> outputs) {
    public Job params(String... names) {
      return new Job(id, kind, command, List.of(names), env, inputs, outputs);
    }

    public Job env(String name, String value) {
      return new Job(id, kind, command, params, Map.of(name, value), inputs, outputs);
    }

    public Job inputs(InputFile... files) {
      return new Job(id, kind, command, params, env, List.of(files), outputs);
    }

    public Job outputs(String... patterns) {
      return new Job(id, kind, command, params, env, inputs, List.of(patterns));
    }

    public Job noop() {
      return new Job(id, JobKind.NOOP, command, params, env, inputs, outputs);
    }

    public TaskTemplate template(long maxRuntimeMillis) {
      return new TaskTemplate(
          new JobId(id),
          0,
          "admin",
          "default",
          "job " + id,
          kind,
          command,
          "",
          params,
          env,
          inputs,
          outputs,
          TaskRules.USUAL.withLimits(1, maxRuntimeMillis));
    }
  }

  /** The same under other rules. */
  static TaskTemplate ruled(TaskTemplate template, TaskRules rules) {
    return new TaskTemplate(
        template.job(),
        template.stage(),
        template.user(),
        template.project(),
        template.jobName(),
        template.kind(),
        template.command(),
        template.payload(),
        template.paramNames(),
        template.env(),
        template.inputs(),
        template.outputs(),
        rules);
  }

  public void describe(Job job) {
    send(describe(job.template(0)));
  }

  static Lease lease(long job, int index) {
    return Lease.newBuilder().setJob(job).setIndex(index).setToken(job * 1000 + index).build();
  }

  public Lease assign(long job, int index, String... params) {
    Lease lease = lease(job, index);
    send(
        Assignment.newBuilder()
            .setLease(lease)
            .setAttempt(1)
            .addAllParams(List.of(params))
            .build());
    return lease;
  }

  /** Of a task that needs more than one core. */
  void assignGranted(long job, int index, String granted) {
    send(
        Assignment.newBuilder()
            .setLease(lease(job, index))
            .setAttempt(1)
            .setGranted(granted)
            .build());
  }

  public static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T message = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (message == null) {
      throw new AssertionError("nothing came within " + PATIENCE_SECONDS + " s");
    }
    return message;
  }

  public BlobId addBlob(byte[] content) {
    BlobId id = new BlobId(sha256(content));
    blobs.put(id.sha256(), content);
    return id;
  }

  static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private void blob(HttpServerRequest request) {
    String id = request.path().substring(request.path().lastIndexOf('/') + 1);
    if (silent) {
      unanswered.incrementAndGet();
      return;
    }
    if (!("Bearer " + BLOB_TOKEN).equals(request.getHeader("Authorization"))) {
      request.response().setStatusCode(401).end();
    } else if (request.method().equals(HttpMethod.PUT)) {
      request
          .body()
          .onSuccess(
              body -> {
                boolean fits = sha256(body.getBytes()).equals(id);
                if (fits) {
                  blobs.put(id, body.getBytes());
                }
                request.response().setStatusCode(fits ? 201 : 400).end();
              });
    } else {
      byte[] content = blobs.get(id);
      if (content == null) {
        request.response().setStatusCode(404).end();
      } else if (request.method().equals(HttpMethod.HEAD)) {
        request.response().end();
      } else {
        fetched.merge(id, 1, Integer::sum);
        request.response().end(Buffer.buffer(content));
      }
    }
  }

  public void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}
