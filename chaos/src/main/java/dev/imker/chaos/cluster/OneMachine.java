package dev.imker.chaos.cluster;

import java.util.Collection;
import java.util.List;

/** All on one machine; nothing can be cut. */
final class OneMachine implements Network {
  @Override
  public void add(String host) {
    // every process is here
  }

  @Override
  public String address(String host) {
    return "127.0.0.1";
  }

  @Override
  public List<String> on(String host) {
    return List.of();
  }

  @Override
  public boolean canBeCut() {
    return false;
  }

  @Override
  public void cut(String host, Collection<String> others) {
    // not possible
  }

  @Override
  public void lose(String host, int percent) {
    // not possible
  }

  @Override
  public void heal() {
    // nothing is cut
  }

  @Override
  public void close() {
    // nothing was made
  }
}
