package dev.imker.wire;

import java.util.concurrent.CompletionStage;

/**
 * Answers requests of one class. An exception, thrown or in the stage, reaches the requester as
 * {@code RequestFailedException} with its message.
 */
@FunctionalInterface
public interface RequestHandler<T, R> {

  CompletionStage<R> handle(Session session, T request);
}
