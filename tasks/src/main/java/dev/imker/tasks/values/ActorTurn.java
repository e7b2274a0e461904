package dev.imker.tasks.values;

import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.RemoteFunction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls of an actor, made one after the other on an object with the state left by the previous
 * turn. A call that throws, or leaves a state that cannot be stored, changes nothing.
 *
 * @param id that no other turn has, so that two are never taken for the same
 * @param factory makes the object, before its state is put into it
 * @param state null for an object that was never called
 */
public record ActorTurn<T>(
    String id, RemoteCallable<T> factory, byte @Nullable [] state, List<RemoteFunction<T, ?>> calls)
    implements RemoteCallable<ActorTurn.After> {
  /**
   * What a turn leaves.
   *
   * @param outcomes a {@link ByteTable} with the {@link CallOutcome} of each call
   */
  public record After(byte[] state, byte[] outcomes) {}

  @Override
  public After call() throws Exception {
    T actor = object(state);
    byte[] kept = state == null ? ActorState.of(actor) : state;
    List<byte[]> outcomes = new ArrayList<>();
    for (RemoteFunction<T, ?> call : calls) {
      try {
        byte[] result = Values.encode(call.apply(actor), "The result");
        kept = ActorState.of(actor);
        outcomes.add(CallOutcome.VALUE.with(result));
      } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
        outcomes.add(CallOutcome.FAILURE.with(Values.encode(Failure.of(e), "The failure")));
        actor = object(kept);
      }
    }
    return new After(kept, ByteTable.of(outcomes));
  }

  private T object(byte @Nullable [] of) throws Exception {
    T actor = factory.call();
    if (of != null) {
      ClassLoader classes = factory.getClass().getClassLoader();
      ActorState.into(actor, of, classes == null ? ClassLoader.getSystemClassLoader() : classes);
    }
    return actor;
  }
}
