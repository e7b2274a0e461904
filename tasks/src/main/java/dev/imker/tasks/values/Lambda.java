package dev.imker.tasks.values;

import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lambda or method reference taken apart: which of its class's lambdas it is, and what it
 * captured. The compiler puts a method into every class with serialisable lambdas that makes them
 * again from this; it knows the lambdas of its class and nothing else.
 *
 * @param capturingClass with dots, as all names here
 */
public record Lambda(
    String capturingClass,
    String interfaceClass,
    String interfaceMethod,
    String interfaceDescriptor,
    int kind,
    String implClass,
    String implMethod,
    String implDescriptor,
    String instantiatedDescriptor,
    List<@Nullable Object> captured) {
  private static final ClassValue<MethodHandle> MAKERS =
      new ClassValue<>() {
        @Override
        protected MethodHandle computeValue(Class<?> type) {
          return maker(type);
        }
      };

  /** Whether an object is a lambda at all. */
  static boolean isLambda(Object value) {
    return value.getClass().isHidden() && value.getClass().getName().contains("$$Lambda");
  }

  /**
   * @throws ValueException if it cannot be taken apart
   */
  public static Lambda of(Object lambda, String what) {
    if (!(lambda instanceof Serializable)) {
      throw new ValueException(
          what
              + " is a lambda that is not serialisable, so it cannot be identified. Pass it"
              + " as a RemoteCallable, RemoteRunnable or RemoteFunction (automatic with a"
              + " variable of type ImkerExecutor), or cast it: (Callable<T> &"
              + " Serializable).");
    }
    try {
      Method replace = lambda.getClass().getDeclaredMethod("writeReplace");
      replace.setAccessible(true);
      return of((SerializedLambda) replace.invoke(lambda));
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new ValueException(what + " is a lambda that cannot be inspected: " + e, e);
    } catch (InaccessibleObjectException e) {
      throw new ValueException(
          what + " is a lambda in a module that does not open its package.", e);
    }
  }

  private static Lambda of(SerializedLambda form) {
    List<@Nullable Object> captured = new ArrayList<>();
    for (int i = 0; i < form.getCapturedArgCount(); i++) {
      captured.add(form.getCapturedArg(i));
    }
    return new Lambda(
        form.getCapturingClass().replace('/', '.'),
        form.getFunctionalInterfaceClass().replace('/', '.'),
        form.getFunctionalInterfaceMethodName(),
        form.getFunctionalInterfaceMethodSignature(),
        form.getImplMethodKind(),
        form.getImplClass().replace('/', '.'),
        form.getImplMethodName(),
        form.getImplMethodSignature(),
        form.getInstantiatedMethodType(),
        captured);
  }

  /** Refuses a lambda that has captured the object it was made in, unless that is a record. */
  void refuseThis(String what) {
    Object first = captured.isEmpty() ? null : captured.getFirst();
    if (first != null
        && !(first instanceof Record)
        && first.getClass().getName().equals(capturingClass)) {
      throw new ValueException(
          what
              + " uses 'this', an object of "
              + capturingClass
              + ", which cannot be sent. Copy what it needs from 'this' into local"
              + " variables first, or make the method that it calls static.");
    }
  }

  /** Makes the lambda from the classes of a loader. */
  Object make(ClassLoader classes) {
    try {
      Class<?> capturing = Class.forName(capturingClass, false, classes);
      SerializedLambda form =
          new SerializedLambda(
              capturing,
              interfaceClass.replace('.', '/'),
              interfaceMethod,
              interfaceDescriptor,
              kind,
              implClass.replace('.', '/'),
              implMethod,
              implDescriptor,
              instantiatedDescriptor,
              captured.toArray());
      return MAKERS.get(capturing).invoke(form);
    } catch (ClassNotFoundException e) {
      throw new ValueException(
          "The class " + capturingClass + " of a lambda is not in the task library.", e);
    } catch (ValueException e) {
      throw e;
    } catch (Throwable e) { // of a method handle
      throw new ValueException(
          "The lambda "
              + implMethod
              + " is not in the class "
              + capturingClass
              + " of the task library; the library may have another version ("
              + e
              + ")",
          e);
    }
  }

  /** By a method handle: reflection would want all classes that the other methods name. */
  private static MethodHandle maker(Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
          .findStatic(
              type,
              "$deserializeLambda$",
              MethodType.methodType(Object.class, SerializedLambda.class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new ValueException(
          "The class " + type.getName() + " has no lambdas that can be sent.", e);
    }
  }
}
