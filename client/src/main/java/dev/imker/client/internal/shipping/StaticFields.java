package dev.imker.client.internal.shipping;

import dev.imker.tasks.values.Lambda;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the static fields that a call reads and that may have another value by now than their class
 * gives them: on another machine they begin afresh. Follows the methods that the call names; what
 * it calls through an interface or by reflection it does not see.
 */
public final class StaticFields {
  private static final int MAX_METHODS = 2_000;

  private record Place(String owner, String method, String descriptor) {}

  private final Set<Class<?>> examined = new HashSet<>();
  private final Set<String> told = new HashSet<>();
  private final Map<String, Optional<ClassModel>> models = new HashMap<>();

  /**
   * Fields that a call reads and that no call before it did, as {@code Class.field}.
   *
   * @throws NotShippableException if it uses a pool as this program does, or calls native methods
   */
  public synchronized Set<String> of(Object call) {
    try {
      return examined.add(call.getClass()) ? examine(call) : Set.of();
    } catch (NotShippableException e) {
      examined.remove(call.getClass());
      throw e;
    } catch (IllegalArgumentException | LinkageError e) {
      return Set.of(); // a class file that cannot be read: a warning less
    }
  }

  private Set<String> examine(Object call) {
    Class<?> type = call.getClass();
    Deque<Place> open = new ArrayDeque<>();
    ClassLoader loader = type.getClassLoader();
    if (type.isHidden()) {
      Lambda lambda = Lambda.of(call, "The call");
      open.add(
          new Place(
              lambda.implClass().replace('.', '/'), lambda.implMethod(), lambda.implDescriptor()));
    } else {
      for (var method : type.getDeclaredMethods()) {
        open.add(
            new Place(
                type.getName().replace('.', '/'),
                method.getName(),
                java.lang.invoke.MethodType.methodType(
                        method.getReturnType(), method.getParameterTypes())
                    .descriptorString()));
      }
    }
    Set<String> read = loader == null ? new TreeSet<>() : follow(open, loader);
    models.clear();
    read.removeIf(field -> !told.add(field));
    return read;
  }

  private Set<String> follow(Deque<Place> open, ClassLoader loader) {
    Set<String> read = new TreeSet<>();
    Set<Place> seen = new HashSet<>();
    for (Place next = open.poll(); next != null && seen.size() < MAX_METHODS; next = open.poll()) {
      if (seen.add(next)) {
        Place place = next;
        model(place.owner, loader).stream()
            .flatMap(model -> model.methods().stream())
            .filter(method -> isThat(method, place))
            .peek(method -> refuseNative(method, place.owner, loader))
            .flatMap(method -> method.code().stream())
            .forEach(code -> code.forEach(element -> look(element, loader, open, read)));
      }
    }
    return read;
  }

  private static void refuseNative(MethodModel method, String owner, ClassLoader loader) {
    if (CodeSources.isNative(method) && CodeSources.isOwnCode(owner, loader)) {
      throw CodeSources.hasNativeMethods(owner);
    }
  }

  private static boolean isThat(MethodModel method, Place place) {
    return method.methodName().equalsString(place.method)
        && method.methodType().equalsString(place.descriptor);
  }

  private void look(CodeElement element, ClassLoader loader, Deque<Place> open, Set<String> read) {
    switch (element) {
      case InvokeInstruction invoke when isOfPool(invoke) ->
          throw new NotShippableException(
              "The call uses Imker.%s(…). A task has no connection of its own to a pool: use TaskContext.current().spawn(…) for further calls."
                  .formatted(invoke.name().stringValue()));
      case InvokeInstruction invoke ->
          open.add(
              new Place(
                  invoke.owner().asInternalName(),
                  invoke.name().stringValue(),
                  invoke.type().stringValue()));
      case InvokeDynamicInstruction lambda ->
          lambda.bootstrapArgs().stream()
              .filter(DirectMethodHandleDesc.class::isInstance)
              .map(DirectMethodHandleDesc.class::cast)
              .forEach(
                  handle ->
                      open.add(
                          new Place(
                              internal(handle), handle.methodName(), handle.lookupDescriptor())));
      case FieldInstruction field when field.opcode() == Opcode.GETSTATIC -> {
        String owner = field.owner().asInternalName();
        boolean changes =
            model(owner, loader).stream()
                .flatMap(model -> model.fields().stream())
                .anyMatch(one -> one.fieldName().equals(field.name()) && isVariable(one));
        if (changes) {
          read.add(owner.replace('/', '.') + "." + field.name().stringValue());
        }
      }
      default -> {}
    }
  }

  private static boolean isOfPool(InvokeInstruction invoke) {
    return invoke.opcode() == Opcode.INVOKESTATIC
        && invoke.owner().asInternalName().equals("dev/imker/client/Imker");
  }

  private static String internal(DirectMethodHandleDesc handle) {
    String descriptor = handle.owner().descriptorString();
    return descriptor.substring(1, descriptor.length() - 1);
  }

  private static boolean isVariable(FieldModel field) {
    return field.flags().has(AccessFlag.STATIC)
        && !field.flags().has(AccessFlag.FINAL)
        && !field.flags().has(AccessFlag.SYNTHETIC);
  }

  /** Of code that is sent along; nothing of what every machine has. */
  private Optional<ClassModel> model(String name, ClassLoader loader) {
    return models.computeIfAbsent(
        name,
        _ -> {
          if (CodeSources.NOT_SHIPPED.matcher(name).matches()) {
            return Optional.empty();
          }
          try (InputStream in = loader.getResourceAsStream(name + ".class")) {
            return in == null
                ? Optional.empty()
                : Optional.of(ClassFile.of().parse(in.readAllBytes()));
          } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
          }
        });
  }
}
