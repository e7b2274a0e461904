package dev.imker.tasks.values;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of an object as bytes, except static and transient ones. */
final class ActorState {
  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
          return fields(type);
        }
      };

  private ActorState() {}

  private static List<Field> fields(Class<?> type) {
    List<Field> all = new ArrayList<>();
    for (Class<?> part = type; part != null && part != Object.class; part = part.getSuperclass()) {
      for (Field field : part.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (!Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers)) {
          try {
            field.setAccessible(true);
          } catch (InaccessibleObjectException e) {
            throw new ValueException(
                "The field %s of an actor cannot be read: its module does not open its package."
                    .formatted(name(field)),
                e);
          }
          all.add(field);
        }
      }
    }
    return all;
  }

  private static String name(Field field) {
    return field.getDeclaringClass().getSimpleName() + "." + field.getName();
  }

  /**
   * @throws ValueException if a field contains something that cannot be sent
   */
  static byte[] of(Object actor) {
    Map<String, @Nullable Object> state = new LinkedHashMap<>();
    for (Field field : FIELDS.get(actor.getClass())) {
      try {
        state.put(name(field), field.get(actor));
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
    return Values.encode(state, "The actor");
  }

  /** Collections created by the object itself are filled, so that they keep their class. */
  static void into(Object actor, byte[] bytes, ClassLoader classes) {
    if (!(Values.decode(bytes, classes) instanceof Map<?, ?> state)) {
      throw new ValueException("not the state of an actor");
    }
    for (Field field : FIELDS.get(actor.getClass())) {
      if (state.containsKey(name(field))) {
        try {
          put(field, actor, Containers.fit(state.get(name(field)), field.getType()));
        } catch (IllegalAccessException e) {
          throw new IllegalStateException(e);
        } catch (IllegalArgumentException e) {
          throw new ValueException(
              "The type of the field %s of the actor differs from the one in the saved state."
                  .formatted(name(field)),
              e);
        }
      }
    }
  }

  @SuppressWarnings("unchecked") // what was in the collection of this field before
  private static void put(Field field, Object actor, @Nullable Object value)
      throws IllegalAccessException {
    Object made = field.get(actor);
    if (made instanceof Collection<?> elements && value instanceof Collection<?> kept) {
      elements.clear();
      ((Collection<Object>) elements).addAll(kept);
    } else if (made instanceof Map<?, ?> entries && value instanceof Map<?, ?> kept) {
      entries.clear();
      ((Map<Object, Object>) entries).putAll(kept);
    } else {
      field.set(actor, value);
    }
  }
}
