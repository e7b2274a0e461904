package dev.imker.tasks.coordination;

/** Forwards requests to an {@link Asker}. */
record AskedCoordination(Asker asker) implements Coordination {
  @Override
  public DoubleBarrier barrier(String name, int size) {
    return new AskedBarrier(new AskedThing(asker, "barrier", name), size);
  }

  @Override
  public TaskLock lock(String name) {
    return new AskedLock(new AskedThing(asker, "lock", name));
  }

  @Override
  public Election election(String name) {
    return new AskedElection(new AskedThing(asker, "election", name));
  }

  @Override
  public Counter counter(String name) {
    return new AskedCounter(new AskedThing(asker, "counter", name));
  }

  @Override
  public SharedValue value(String name) {
    return new AskedValue(new AskedThing(asker, "config", name));
  }

  @Override
  public Group group(String name) {
    return new AskedGroup(new AskedThing(asker, "group", name));
  }

  @Override
  public TaskQueue queue(String name) {
    return new AskedQueue(new AskedThing(asker, "queue", name));
  }
}
