package dev.imker.agent.internal.system;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/** File descriptors that one thread waits for together (epoll), and that can wake it up. */
public final class WaitSet {
  private static final int EPOLL_CTL_ADD = 1;
  private static final int EPOLLIN = 1;
  private static final int EPOLLONESHOT = 1 << 30;
  private static final int NON_BLOCKING = 0x800;
  private static final long WAKE_UP = 0;

  /** The one layout that differs between the two processors. */
  private static final long EVENT_BYTES = Libc.isIntel() ? 12 : 16;

  private static final long DATA_OFFSET = Libc.isIntel() ? 4 : 8;

  private final MethodHandle control =
      Libc.bind("epoll_ctl", Libc.ofInt(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
  private final MethodHandle wait =
      Libc.bind("epoll_wait", Libc.ofInt(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
  private final Libc libc;
  private final int maxEvents;
  private final int epoll;
  private final int wakeUp;
  private final MemorySegment events;
  private final MemorySegment counter = Arena.global().allocate(JAVA_LONG);
  private final MemorySegment one = Arena.global().allocateFrom(JAVA_LONG, 1L);

  public WaitSet(Libc libc, int maxEvents) {
    this.libc = libc;
    this.maxEvents = maxEvents;
    this.events = Arena.global().allocate(maxEvents * EVENT_BYTES, 8);
    try {
      MethodHandle create = Libc.bind("epoll_create1", Libc.ofInt(JAVA_INT));
      MethodHandle eventFd = Libc.bind("eventfd", Libc.ofInt(JAVA_INT, JAVA_INT));
      epoll = Libc.checkFd((int) create.invokeExact(Libc.CLOSE_ON_EXEC));
      wakeUp = Libc.checkFd((int) eventFd.invokeExact(0, Libc.CLOSE_ON_EXEC | NON_BLOCKING));
    } catch (Throwable e) {
      throw Libc.broken(e);
    }
    add(wakeUp, EPOLLIN, WAKE_UP);
  }

  /**
   * Waits for a descriptor until it can be read, once.
   *
   * @param data what stands for it; not 0
   * @return false if the system takes no more
   */
  public boolean addOnce(int fd, long data) {
    return add(fd, EPOLLIN | EPOLLONESHOT, data);
  }

  private boolean add(int fd, int interest, long data) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment event = arena.allocate(EVENT_BYTES, 8);
      event.set(JAVA_INT_UNALIGNED, 0, interest);
      event.set(JAVA_LONG_UNALIGNED, DATA_OFFSET, data);
      return (int) control.invokeExact(epoll, EPOLL_CTL_ADD, fd, event) == 0;
    } catch (Throwable e) {
      throw Libc.broken(e);
    }
  }

  /** Ends the present or the next {@link #await}. */
  public void wakeUp() {
    libc.write(wakeUp, one);
  }

  /** Waits, without end if the time is negative; returns what stands for those that are ready. */
  public long[] await(int timeoutMillis) {
    int ready;
    try {
      ready = (int) wait.invokeExact(epoll, events, maxEvents, timeoutMillis);
    } catch (Throwable e) {
      throw Libc.broken(e);
    }
    long[] found = new long[Math.max(0, ready)]; // -1: a signal came
    int count = 0;
    for (int i = 0; i < ready; i++) {
      long data = events.get(JAVA_LONG_UNALIGNED, i * EVENT_BYTES + DATA_OFFSET);
      if (data == WAKE_UP) {
        libc.read(wakeUp, counter);
      } else {
        found[count++] = data;
      }
    }
    return count == found.length ? found : Arrays.copyOf(found, count);
  }
}
