package dev.imker.wire;

/** Handles messages of one class. Messages of one session arrive one after the other, in order. */
@FunctionalInterface
public interface MessageHandler<T> {

  void handle(Session session, T message);
}
