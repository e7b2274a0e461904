package dev.imker.server.http;

import dev.imker.model.ImkerException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reverse proxies that are trusted to name the origin of a request; others could claim anything in
 * a header. Of several addresses, the last one that is not a trusted proxy counts: earlier ones may
 * have been written by the sender of the request.
 */
public final class TrustedProxies {
  /** Nobody is believed. */
  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  private static final Pattern ADDRESS = Pattern.compile("[0-9a-fA-F:.]+");
  private static final Pattern FORWARDED_FOR =
      Pattern.compile("(?i)\\bfor=\"?(\\[[0-9a-f:.]+]|[0-9.]+|[^\",;\\s]*)");

  private record Network(byte[] address, int bits) {
    boolean contains(byte[] other) {
      if (other.length != address.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit % 8);
        if (((address[bit / 8] ^ other[bit / 8]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  private final List<Network> networks;

  private TrustedProxies(List<Network> networks) {
    this.networks = networks;
  }

  /**
   * @param written addresses, or networks such as 10.0.0.0/8
   * @throws ImkerException if one is neither
   */
  public static TrustedProxies of(List<String> written) {
    List<Network> networks = new ArrayList<>();
    for (String one : written) {
      networks.add(network(one.strip()));
    }
    return new TrustedProxies(networks);
  }

  private static Network network(String written) {
    int slash = written.indexOf('/');
    Optional<byte[]> address = address(slash < 0 ? written : written.substring(0, slash));
    try {
      byte[] bytes = address.orElseThrow(() -> new NumberFormatException("no address"));
      int bits = slash < 0 ? 8 * bytes.length : Integer.parseInt(written.substring(slash + 1));
      if (bits >= 0 && bits <= 8 * bytes.length) {
        return new Network(bytes, bits);
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of bounds.
    }
    throw new ImkerException(
        "'" + written + "' is neither an address nor a network such as 10.0.0.0/8.");
  }

  /** Without asking anybody for the meaning of a name. */
  private static Optional<byte[]> address(String text) {
    String plain = text.replaceAll("[\\[\\]]", "");
    if (!ADDRESS.matcher(plain).matches() || plain.chars().noneMatch(c -> c == '.' || c == ':')) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(plain).getAddress());
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /**
   * Where a request came from.
   *
   * @param remote the other end of the connection
   * @param forwardedFor the header X-Forwarded-For; empty if there is none
   * @param forwarded the header Forwarded (RFC 7239), of which no notice is taken beside the other
   *     one: a proxy that writes one of them passes on what a client wrote into the other; empty if
   *     there is none
   */
  String client(String remote, String forwardedFor, String forwarded) {
    if (!isTrusted(remote)) {
      return remote;
    }
    List<String> named = new ArrayList<>();
    if (forwardedFor.isBlank()) {
      Matcher matcher = FORWARDED_FOR.matcher(forwarded);
      while (matcher.find()) {
        named.add(matcher.group(1));
      }
    } else {
      for (String part : forwardedFor.split(",", -1)) {
        named.add(part.strip());
      }
    }
    String client = remote;
    for (String one : named.reversed()) {
      if (address(one).isEmpty()) {
        return client;
      }
      client = one.replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT);
      if (!isTrusted(client)) {
        return client;
      }
    }
    return client;
  }

  boolean isTrusted(String text) {
    return !networks.isEmpty()
        && address(text)
            .map(bytes -> networks.stream().anyMatch(network -> network.contains(bytes)))
            .orElse(false);
  }
}
