package dev.imker.wire;

import dev.imker.wire.frame.Codec;
import org.jspecify.annotations.Nullable;

/** One entry of the directory. */
record MessageEntry<T>(
    int type,
    int subtype,
    Class<T> messageClass,
    Codec<T> codec,
    @Nullable MessageHandler<? super T> handler,
    @Nullable RequestHandler<? super T, ?> requestHandler,
    boolean inline) {

  boolean isHandled() {
    return handler != null || requestHandler != null;
  }

  String name() {
    return messageClass.getSimpleName();
  }
}
