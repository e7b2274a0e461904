package dev.imker.model.connection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Addresses of the servers of a pool and the one that is talked to at present. One that does not
 * answer is followed by the next; one that says where the leader is, by that. Where all that were
 * given are encrypted, so are all that are learnt: nobody is sent with a token to a place where
 * others can read it. For any thread.
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

  /** Goes on to the next one, unless somebody else has left this one before. */
  public synchronized void leave(String address) {
    if (current().equals(plain(address))) {
      current = (current + 1) % addresses.size();
    }
  }

  /** Talks to this one from now on; returns false, and stays, if it must not be talked to. */
  public synchronized boolean goTo(String address) {
    learn(List.of(address));
    int index = addresses.indexOf(plain(address));
    current = index < 0 ? current : index;
    return index >= 0;
  }

  /** Adds those that are not known yet. */
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
