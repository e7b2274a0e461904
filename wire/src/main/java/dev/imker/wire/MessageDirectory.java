package dev.imker.wire;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.imker.wire.frame.Codec;
import dev.imker.wire.frame.Codecs;
import dev.imker.wire.frame.Frames;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The directory of messages: maps (type, subtype) and class to codec and handler. Built once at
 * start, then immutable and shared by all sessions of an endpoint.
 */
public final class MessageDirectory {

  private static final @Nullable MessageEntry<?>[] NO_ENTRIES = new MessageEntry<?>[256];

  private final @Nullable MessageEntry<?>[][] byTypeAndSubtype = new MessageEntry<?>[256][];
  private final IdentityHashMap<Class<?>, MessageEntry<?>> byClass = new IdentityHashMap<>();
  private final boolean inlineHandlers;
  private final LongAdder skipped = new LongAdder();

  private MessageDirectory(Builder builder) {
    Arrays.fill(byTypeAndSubtype, NO_ENTRIES);
    builder.entries.values().forEach(this::put);
    inlineHandlers = builder.entries.values().stream().anyMatch(MessageEntry::inline);
  }

  @SuppressWarnings("ReferenceEquality") // the shared empty row must not be written to
  private void put(MessageEntry<?> entry) {
    if (byTypeAndSubtype[entry.type()] == NO_ENTRIES) {
      byTypeAndSubtype[entry.type()] = new MessageEntry<?>[256];
    }
    byTypeAndSubtype[entry.type()][entry.subtype()] = entry;
    byClass.put(entry.messageClass(), entry);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** How many received messages had no entry or no handler here and were skipped. */
  public long skippedMessages() {
    return skipped.sum();
  }

  /** All messages of a type. */
  public Set<Class<?>> ofType(int type) {
    return byClass.values().stream()
        .filter(entry -> entry.type() == type)
        .map(MessageEntry::messageClass)
        .collect(Collectors.toSet());
  }

  void countSkipped() {
    skipped.increment();
  }

  boolean hasInlineHandlers() {
    return inlineHandlers;
  }

  @Nullable MessageEntry<?> find(int type, int subtype) {
    return byTypeAndSubtype[type][subtype];
  }

  @SuppressWarnings("unchecked") // entries are stored under their own class
  <T> MessageEntry<T> entryOf(T message) {
    MessageEntry<?> entry = byClass.get(message.getClass());
    if (entry == null) {
      throw new IllegalArgumentException(message.getClass() + " is not in the message directory");
    }
    return (MessageEntry<T>) entry;
  }

  private static int code(int type, int subtype) {
    return type << 8 | subtype;
  }

  /** Collects messages and handlers; duplicates are rejected. */
  public static final class Builder {

    private final Map<Class<?>, MessageEntry<?>> entries = new HashMap<>();
    private final Map<Integer, Class<?>> codes = new HashMap<>();

    private Builder() {}

    /** Adds a protobuf message. */
    public <T extends MessageLite> Builder register(
        int type, int subtype, Class<T> messageClass, Parser<T> parser) {
      return register(type, subtype, messageClass, Codecs.protobuf(parser));
    }

    /** Adds a message class under its numbers. */
    public <T> Builder register(int type, int subtype, Class<T> messageClass, Codec<T> codec) {
      if (type < Frames.FIRST_APPLICATION_TYPE || type > 255 || subtype < 0 || subtype > 255) {
        throw new IllegalArgumentException(
            "type must be in 2..255 and subtype in 0..255: " + type + ", " + subtype);
      }
      if (entries.containsKey(messageClass)) {
        throw new IllegalStateException(messageClass.getName() + " is registered already");
      }
      Class<?> other = codes.putIfAbsent(code(type, subtype), messageClass);
      if (other != null) {
        throw new IllegalStateException(
            "(%d, %d) belongs to %s already".formatted(type, subtype, other.getName()));
      }
      entries.put(
          messageClass, new MessageEntry<>(type, subtype, messageClass, codec, null, null, false));
      return this;
    }

    /** Handler on the session's delivery thread, where it may block; the usual choice. */
    public <T> Builder on(Class<T> messageClass, MessageHandler<? super T> handler) {
      return put(vacant(messageClass), handler, null, false);
    }

    /**
     * Handler on the connection's reading thread, with the least delay. It must never block, and it
     * overtakes messages that wait for the delivery thread.
     */
    public <T> Builder onInline(Class<T> messageClass, MessageHandler<? super T> handler) {
      return put(vacant(messageClass), handler, null, true);
    }

    /** Answers requests on the session's delivery thread, where it may block. */
    public <T, R> Builder onRequest(Class<T> messageClass, BiFunction<Session, T, R> handler) {
      RequestHandler<T, R> asynchronous =
          (session, request) -> CompletableFuture.completedStage(handler.apply(session, request));
      return put(vacant(messageClass), null, asynchronous, false);
    }

    /** Answers requests later; the next message is delivered meanwhile. */
    public <T, R> Builder onRequestAsync(
        Class<T> messageClass, RequestHandler<? super T, R> handler) {
      return put(vacant(messageClass), null, handler, false);
    }

    /** Like {@link #onRequestAsync}, with the restrictions of {@link #onInline}. */
    public <T, R> Builder onRequestInline(
        Class<T> messageClass, RequestHandler<? super T, R> handler) {
      return put(vacant(messageClass), null, handler, true);
    }

    public MessageDirectory build() {
      return new MessageDirectory(this);
    }

    @SuppressWarnings("unchecked") // entries are stored under their own class
    private <T> MessageEntry<T> vacant(Class<T> messageClass) {
      MessageEntry<?> entry = entries.get(messageClass);
      if (entry == null) {
        throw new IllegalStateException(messageClass.getName() + " is not registered");
      }
      if (entry.handler() != null || entry.requestHandler() != null) {
        throw new IllegalStateException(messageClass.getName() + " has a handler already");
      }
      return (MessageEntry<T>) entry;
    }

    private <T> Builder put(
        MessageEntry<T> entry,
        @Nullable MessageHandler<? super T> handler,
        @Nullable RequestHandler<? super T, ?> requestHandler,
        boolean inline) {
      entries.put(
          entry.messageClass(),
          new MessageEntry<>(
              entry.type(),
              entry.subtype(),
              entry.messageClass(),
              entry.codec(),
              handler,
              requestHandler,
              inline));
      return this;
    }
  }
}
