package dev.imker.chaos.cluster;

import java.util.Collection;
import java.util.List;

/** How the machines of a pool reach each other. */
public interface Network extends AutoCloseable {
  void add(String host);

  String address(String host);

  /** The words that make a command run on a machine. */
  List<String> on(String host);

  /** Whether connections can be cut; if not, {@link #cut} and {@link #lose} do nothing. */
  boolean canBeCut();

  /** From now on nothing gets through between a machine and these others, either way. */
  void cut(String host, Collection<String> others);

  /** From now on so many of a hundred packets for a machine get lost. */
  void lose(String host, int percent);

  /** Everything reaches everything again. */
  void heal();

  @Override
  void close();
}
