package dev.imker.model.connection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Addresses of the servers of a pool and the one that is talked to at present. One that does not
 * answer is followed by the next; one that says where the leader is, by that. For any thread.
 */
public final class ServerList {
  private final List<String> addresses;
  private int current;

  public ServerList(Collection<String> addresses) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("a pool needs an address");
    }
    this.addresses = new ArrayList<>(addresses.stream().map(ServerList::plain).distinct().toList());
  }

  private static String plain(String address) {
    return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
  }

  public synchronized String current() {
    return addresses.get(current);
  }

  public synchronized boolean hasSeveral() {
    return addresses.size() > 1;
  }

  public synchronized List<String> all() {
    return List.copyOf(addresses);
  }

  /** Goes on to the next one, unless somebody else has left this one before. */
  public synchronized void leave(String address) {
    if (current().equals(plain(address))) {
      current = (current + 1) % addresses.size();
    }
  }

  /** Talks to this one from now on. */
  public synchronized void goTo(String address) {
    learn(List.of(address));
    current = addresses.indexOf(plain(address));
  }

  /** Adds those that are not known yet. */
  public synchronized void learn(Collection<String> others) {
    for (String other : others) {
      String address = plain(other.strip());
      if (!address.isEmpty() && !addresses.contains(address)) {
        addresses.add(address);
      }
    }
  }
}
