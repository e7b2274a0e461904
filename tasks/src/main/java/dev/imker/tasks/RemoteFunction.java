package dev.imker.tasks;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A function that can be sent to other machines and may throw; see {@link RemoteCallable}. */
@FunctionalInterface
public interface RemoteFunction<A extends @Nullable Object, B extends @Nullable Object>
    extends Serializable {
  B apply(A argument) throws Exception;
}
