package dev.imker.client.internal.local;

import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.JobHandle;
import dev.imker.client.internal.pool.BaseExecutor;
import dev.imker.client.internal.pool.LocalJob;
import dev.imker.client.internal.pool.Mailbox;
import dev.imker.client.internal.pool.RemoteFuture;
import dev.imker.client.internal.shipping.SentFiles;
import dev.imker.client.internal.shipping.Shipping;
import dev.imker.tasks.Blackboard;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.RemoteFunction;
import dev.imker.tasks.coordination.Asker;
import dev.imker.tasks.coordination.Coordination;
import dev.imker.tasks.values.CallTable;
import dev.imker.tasks.values.Shared;
import dev.imker.tasks.values.ValueException;
import dev.imker.tasks.values.Values;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The executor without a pool: threads of this program. Calls and results are copied as if they
 * travelled, so that what works here works in a pool too.
 */
public final class LocalExecutor extends BaseExecutor {
  private static final int MAX_TEMPLATES = 500;
  private static final long MAX_TEMPLATE_BYTES = 128L << 20;

  private final LocalThreads threads;
  private final ExecutorOptions options;
  private final Map<String, LocalActor.Kept> actors;
  private final LocalFiles savedFiles;
  private final AtomicLong last = new AtomicLong();
  private final Collection<Object> shared = new ConcurrentLinkedQueue<>();
  private final Map<String, CompletableFuture<?>> planned = new ConcurrentHashMap<>();
  private CallTable.Templates templates = new CallTable.Templates();
  private CallTable.@Nullable Reader reader;
  private @Nullable ClassLoader readerLoader;
  private final LocalCoordination coordination = new LocalCoordination();
  private final AtomicLong lastMember = new AtomicLong();

  /**
   * @param options of which retries, limits and files count here
   * @param actors those of the program, by name
   * @param savedFiles what calls leave
   */
  public LocalExecutor(
      LocalThreads threads,
      ExecutorOptions options,
      Map<String, LocalActor.Kept> actors,
      LocalFiles savedFiles) {
    this.savedFiles = savedFiles;
    this.threads = threads;
    this.options = options;
    this.actors = actors;
  }

  /** What calls find in their folders. */
  Map<String, Path> files() {
    return SentFiles.of(options.files());
  }

  LocalFiles savedFiles() {
    return savedFiles;
  }

  ExecutorOptions options() {
    return options;
  }

  String nextId() {
    return "local." + last.incrementAndGet();
  }

  LocalThreads threads() {
    return threads;
  }

  /** A planned job ends with the executor, at the latest. */
  public void keep(CompletableFuture<?> job) {
    String id = nextId();
    planned.put(id, job);
    var _ = job.whenComplete((_, _) -> planned.remove(id));
    if (isShutdown()) {
      job.cancel(true);
    }
  }

  LocalCoordination together() {
    return coordination;
  }

  @Override
  public Blackboard blackboard() {
    return new LocalBoard();
  }

  @Override
  public Coordination coordination() {
    String member = "program." + lastMember.incrementAndGet();
    return Coordination.over(
        new Asker() {
          @Override
          public Map<String, Object> ask(String kind, String name, Map<String, Object> body)
              throws InterruptedException {
            return coordination.ask(member, kind, name, body);
          }

          @Override
          public void waits(boolean on) {}
        });
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> JobHandle<List<B>> mapDurably(
      String key, Collection<A> elements, RemoteFunction<A, B> function) {
    List<CompletableFuture<B>> parts = new ArrayList<>();
    elements.forEach(element -> parts.add(apply(function, element)));
    CompletableFuture<List<B>> all =
        CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
            .thenApply(_ -> parts.stream().map(CompletableFuture::join).toList());
    return new LocalJob<>(key, all, parts);
  }

  @Override
  protected <T> Mailbox.Turns<T> turns(String name, RemoteCallable<T> factory) {
    return new LocalActor<>(
        this, actors.computeIfAbsent(name, _ -> new LocalActor.Kept()), factory);
  }

  @Override
  protected int maxCallsOfTurn() {
    return 1;
  }

  @Override
  public <T> Shared<T> share(T value) {
    try {
      byte[] content = Values.encode(value, "The shared value");
      ClassLoader loader = value.getClass().getClassLoader();
      Object copy =
          Objects.requireNonNull(
              Values.decode(content, loader == null ? ClassLoader.getSystemClassLoader() : loader));
      shared.add(copy);
      @SuppressWarnings("unchecked") // a copy is of the same type
      T same = (T) copy;
      return Shared.of(Shipping.hash(content).sha256(), same);
    } catch (ValueException e) {
      throw new RejectedExecutionException(e.getMessage(), e);
    }
  }

  /**
   * Gives a copy of a call each time.
   *
   * @throws ValueException if it cannot travel
   */
  private synchronized Supplier<Callable<@Nullable Object>> copies(Object call) {
    ClassLoader loader = RemoteFuture.loader(call);
    if (templates.size() >= MAX_TEMPLATES || templates.bytes() > MAX_TEMPLATE_BYTES) {
      templates = new CallTable.Templates();
    }
    int before = templates.size();
    byte[] code =
        call instanceof RemoteFuture.Application(Object function, Object argument)
            ? templates.encode(function, argument)
            : templates.encode(call);
    if (reader == null || templates.size() != before || !loader.equals(readerLoader)) {
      reader = new CallTable.Reader(templates.table(), loader);
      readerLoader = loader;
    }
    CallTable.Reader own = reader;
    return () -> own.read(code);
  }

  @Override
  public void enqueue(RemoteFuture<?> future) {
    try {
      threads.execute(new LocalCall(this, future, copies(future.call())));
    } catch (ValueException e) {
      throw new RejectedExecutionException(e.getMessage(), e);
    }
  }

  @Override
  public void shutdown() {
    threads.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    List<Runnable> never = new ArrayList<>();
    planned.values().forEach(job -> job.cancel(true)); // whose steps nobody takes any more
    for (Runnable waiting : threads.shutdownNow()) {
      if (waiting instanceof LocalCall call) {
        call.drop();
        never.add(call.future());
      } else {
        never.add(waiting);
      }
    }
    return never;
  }

  @Override
  public boolean isShutdown() {
    return threads.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return threads.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return threads.awaitTermination(timeout, unit);
  }
}
