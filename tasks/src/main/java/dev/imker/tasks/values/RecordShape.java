package dev.imker.tasks.values;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How records of one class are taken apart and made. */
final class RecordShape {
  private static final ClassValue<RecordShape> SHAPES =
      new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
          return new RecordShape(type);
        }
      };

  private final Class<?> type;
  private final RecordComponent[] components;
  private final Method[] accessors;
  private final Constructor<?> constructor;

  private RecordShape(Class<?> type) {
    this.type = type;
    this.components = type.getRecordComponents();
    this.accessors =
        Arrays.stream(components).map(RecordComponent::getAccessor).toArray(Method[]::new);
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      this.constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      for (Method accessor : accessors) {
        accessor.setAccessible(true);
      }
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("a record without its constructor: " + type, e);
    } catch (InaccessibleObjectException e) {
      throw new ValueException(
          "The record "
              + type.getName()
              + " is in a module that does not open its package; add 'opens "
              + type.getPackageName()
              + ";' to its module-info.",
          e);
    }
  }

  static RecordShape of(Class<?> type) {
    return SHAPES.get(type);
  }

  int size() {
    return components.length;
  }

  String name(int i) {
    return components[i].getName();
  }

  Class<?> type(int i) {
    return components[i].getType();
  }

  @Nullable Object value(int i, Object owner) {
    try {
      return accessors[i].invoke(owner);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    } catch (InvocationTargetException e) {
      throw new ValueException(type.getName() + "." + name(i) + "() failed: " + e.getCause(), e);
    }
  }

  Object make(@Nullable Object[] values) {
    try {
      return constructor.newInstance(values);
    } catch (InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException(e);
    } catch (InvocationTargetException e) {
      throw new ValueException(
          "The record " + type.getName() + " rejected its values: " + e.getCause(), e);
    } catch (IllegalArgumentException e) {
      throw new ValueException("Values do not fit the record " + type.getName() + ".", e);
    }
  }
}
