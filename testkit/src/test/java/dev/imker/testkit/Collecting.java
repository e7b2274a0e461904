package dev.imker.testkit;

import dev.imker.client.executor.Applied;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A subscriber that asks for one element at a time. */
final class Collecting<A, B> implements Flow.Subscriber<Applied<A, B>> {
  private final List<Applied<A, B>> elements = new ArrayList<>();
  private final CompletableFuture<List<Applied<A, B>>> all = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  CompletableFuture<List<Applied<A, B>>> all() {
    return all;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(1);
  }

  @Override
  public void onNext(Applied<A, B> element) {
    elements.add(element);
    if (subscription != null) {
      subscription.request(1);
    }
  }

  @Override
  public void onError(Throwable cause) {
    all.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    all.complete(elements);
  }
}
