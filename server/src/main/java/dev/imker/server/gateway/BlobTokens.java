package dev.imker.server.gateway;

/** Creates the tokens with which agents fetch and store files. */
@FunctionalInterface
public interface BlobTokens {
  /**
   * @param agent empty for one that may fetch nothing but an update
   * @param stamp of the key that it has proved to have
   */
  String of(String agent, long stamp);
}
