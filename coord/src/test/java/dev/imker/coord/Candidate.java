package dev.imker.coord;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes what a candidate was told. */
final class Candidate implements Leadership.Listener, AutoCloseable {
  final String name;
  final Leadership leadership;
  final List<String> told = new CopyOnWriteArrayList<>();
  private final List<String> order;

  /**
   * @param order gets the name of every candidate that leads
   */
  Candidate(String name, Leadership leadership, List<String> order) {
    this.name = name;
    this.leadership = leadership;
    this.order = order;
    leadership.start(this);
  }

  @Override
  public void lead() {
    told.add("lead");
    order.add(name);
  }

  @Override
  public void follow(String reason) {
    told.add("follow");
  }

  boolean leads() {
    return !told.isEmpty() && told.getLast().equals("lead");
  }

  @Override
  public void close() {
    leadership.close();
  }
}
