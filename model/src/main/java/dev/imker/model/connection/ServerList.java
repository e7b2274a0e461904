package dev.imker.model.connection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The addresses of the servers of a pool and the current one. If a server does not answer, the next
 * one becomes current; if it names the leader, the leader does. If all given addresses are
 * encrypted, unencrypted ones are not accepted later, so that no token is sent in clear text.
 * Thread-safe.
 */
public final class ServerList {
  private final List<String> addresses;
  private final boolean encrypted;
  private int current;

  public ServerList(Collection<String> addresses) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("a pool needs an address");
    }
    this.addresses = new ArrayList<>(addresses.stream().map(ServerList::plain).distinct().toList());
    this.encrypted = this.addresses.stream().allMatch(ServerList::isEncrypted);
  }

  private static boolean isEncrypted(String address) {
    return address.startsWith("https://") || address.startsWith("wss://");
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

  /** Switches to the next server unless another thread has already left this one. */
  public synchronized void leave(String address) {
    if (current().equals(plain(address))) {
      current = (current + 1) % addresses.size();
    }
  }

  /** Makes this server current; returns false and changes nothing if it must not be used. */
  public synchronized boolean goTo(String address) {
    learn(List.of(address));
    int index = addresses.indexOf(plain(address));
    current = index < 0 ? current : index;
    return index >= 0;
  }

  /** Adds addresses that are not known yet. */
  public synchronized void learn(Collection<String> others) {
    for (String other : others) {
      String address = plain(other.strip());
      if (!address.isEmpty()
          && !addresses.contains(address)
          && (!encrypted || isEncrypted(address))) {
        addresses.add(address);
      }
    }
  }
}
