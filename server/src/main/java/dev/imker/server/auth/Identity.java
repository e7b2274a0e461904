package dev.imker.server.auth;

/** A caller whose token was checked. */
public record Identity(String user, Role role) {
  public static final Identity ADMIN = new Identity("admin", Role.ADMIN);
  public static final Identity AGENT = new Identity("agent", Role.AGENT);
}
