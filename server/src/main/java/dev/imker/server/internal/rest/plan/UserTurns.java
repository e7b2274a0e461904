package dev.imker.server.internal.rest.plan;

import dev.imker.server.http.ApiException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Executes work of users on a few threads: one piece per user at a time; the user who was served
 * longest ago is next.
 */
final class UserTurns implements AutoCloseable {
  /** So many pieces of one user may wait while somebody waits for them. */
  private static final int MAX_WAITING = 8;

  private final int threads;

  /** What waits, by user; the first of them that has nothing under way is next. */
  private final Map<String, Deque<Runnable>> waiting = new LinkedHashMap<>();

  private final Map<String, Thread> busy = new HashMap<>();
  private boolean closed;

  UserTurns(int threads) {
    this.threads = threads;
  }

  /** Leaves room for what else a server has to do. */
  static UserTurns ofThisMachine() {
    return new UserTurns(Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 2, 8));
  }

  synchronized void add(String user, Runnable work) {
    waiting.computeIfAbsent(user, _ -> new ArrayDeque<>()).add(work);
    begin();
  }

  /** Does something in the turn of a user, and waits for that. */
  <T> T run(String user, Callable<T> work) throws InterruptedException {
    FutureTask<T> task = new FutureTask<>(work);
    addIfFew(user, task);
    try {
      return task.get();
    } catch (InterruptedException e) {
      task.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private synchronized void addIfFew(String user, Runnable work) {
    if (waiting.getOrDefault(user, new ArrayDeque<>()).size() >= MAX_WAITING) {
      throw ApiException.of(
          429, "busy", "Too many of your planning requests are in progress; try again shortly.");
    }
    add(user, work);
  }

  /** Pieces that are not under way yet. */
  synchronized int waiting() {
    return waiting.values().stream().mapToInt(Deque::size).sum();
  }

  private synchronized void begin() {
    while (!closed && busy.size() < threads) {
      Optional<String> next =
          waiting.keySet().stream().filter(user -> !busy.containsKey(user)).findFirst();
      if (next.isEmpty()) {
        return;
      }
      String user = next.get();
      Deque<Runnable> all = Objects.requireNonNull(waiting.remove(user));
      Runnable work = all.remove();
      if (!all.isEmpty()) {
        waiting.put(user, all);
      }
      Thread thread =
          Thread.ofPlatform().daemon().name("imker-planning").unstarted(() -> run(user, work));
      busy.put(user, thread);
      thread.start();
    }
  }

  private void run(String user, Runnable work) {
    try {
      work.run();
    } finally {
      over(user);
    }
  }

  private synchronized void over(String user) {
    busy.remove(user);
    Deque<Runnable> rest = waiting.remove(user);
    if (rest != null) {
      waiting.put(user, rest); // behind the others
    }
    begin();
  }

  /** Interrupts what is under way, and forgets what waits. */
  @Override
  public void close() {
    List<Thread> under;
    synchronized (this) {
      closed = true;
      waiting.clear();
      under = List.copyOf(busy.values());
    }
    under.forEach(Thread::interrupt);
    try {
      for (Thread thread : under) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
