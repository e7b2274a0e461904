package dev.imker.wire.lan;

import java.util.List;

/**
 * A pool that claims to be in this network; anybody there can claim anything.
 *
 * @param fingerprint of the certificate it says it has
 * @param urls where it says it is; at least one
 */
public record FoundPool(String name, String fingerprint, List<String> urls) {
  public FoundPool {
    urls = List.copyOf(urls);
  }
}
