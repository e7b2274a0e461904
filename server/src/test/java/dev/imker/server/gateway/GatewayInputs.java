package dev.imker.server.gateway;

/** What agents say of themselves, for tests of other packages. */
public final class GatewayInputs {
  private GatewayInputs() {}

  public static void platform(String json) {
    Protocol.platform(json);
  }
}
