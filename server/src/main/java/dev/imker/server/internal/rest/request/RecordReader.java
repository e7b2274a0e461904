package dev.imker.server.internal.rest.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.BlobId;
import dev.imker.model.validation.JobDefaults;
import dev.imker.server.http.ApiException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records that jobs are made of, strictly: every component is a field, unknown fields are
 * refused, and what is absent (or null) has its {@linkplain JobDefaults default}. What a value must
 * be like beyond its type is for {@link dev.imker.model.validation.JobValidator} to say.
 */
public final class RecordReader {
  private RecordReader() {}

  public static Set<String> fields(Class<? extends Record> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(RecordComponent::getName)
        .collect(Collectors.toSet());
  }

  public static <T extends Record> T read(JsonNode node, String path, Class<T> type) {
    return read(JsonFields.of(node, path, fields(type)), node, type, Map.of());
  }

  /**
   * @param preset components that are not looked for in the JSON
   */
  public static <T extends Record> T read(
      JsonFields fields, JsonNode node, Class<T> type, Map<String, Object> preset) {
    Map<String, Object> given = new HashMap<>(preset);
    for (RecordComponent component : type.getRecordComponents()) {
      String name = component.getName();
      if (!preset.containsKey(name) && fields.has(name)) {
        given.put(name, value(fields, node.get(name), component));
      }
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      values.add(valueOrDefault(fields, component, type, given));
    }
    return create(type, fields, values);
  }

  private static @Nullable Object valueOrDefault(
      JsonFields fields,
      RecordComponent component,
      Class<? extends Record> type,
      Map<String, Object> given) {
    String name = component.getName();
    if (given.containsKey(name)) {
      return given.get(name);
    }
    if (JobDefaults.isRequired(type, name)) {
      throw ApiException.invalid(fields.at(name), fields.at(name) + " is missing.");
    }
    Object usual = JobDefaults.of(type, name, given);
    return usual != null || component.getAnnotatedType().isAnnotationPresent(Nullable.class)
        ? usual
        : nothing(component.getType());
  }

  private static Object nothing(Class<?> type) {
    if (type == String.class) {
      return "";
    }
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 0L;
    }
    if (type == double.class) {
      return 0.0;
    }
    if (type == boolean.class) {
      return false;
    }
    if (type == List.class) {
      return List.of();
    }
    if (type == Set.class) {
      return Set.of();
    }
    if (type == Map.class) {
      return Map.of();
    }
    throw new IllegalStateException("no default for a " + type);
  }

  private static Object value(JsonFields fields, JsonNode node, RecordComponent component) {
    String name = component.getName();
    Class<?> type = component.getType();
    if (type == int.class) {
      return (int) fields.number(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
    if (type == long.class) {
      return fields.number(name, Long.MIN_VALUE, Long.MAX_VALUE);
    }
    if (type == double.class) {
      return fields.amount(name);
    }
    if (type == boolean.class) {
      return fields.flag(name, false);
    }
    if (type == Map.class) {
      boolean amounts = arguments(component.getGenericType())[1] == Double.class;
      return amounts ? fields.amounts(name) : fields.map(name);
    }
    if (type == List.class || type == Set.class) {
      Class<?> element = elementOf(component.getGenericType());
      List<Object> all =
          fields.list(name, Integer.MAX_VALUE, (item, where) -> element(item, where, element));
      return type == List.class ? all : new HashSet<>(all);
    }
    return element(node, fields.at(name), type);
  }

  private static Class<?> elementOf(Type list) {
    return (Class<?>) arguments(list)[0];
  }

  private static Type[] arguments(Type generic) {
    return ((ParameterizedType) generic).getActualTypeArguments();
  }

  private static Object element(JsonNode node, String where, Class<?> type) {
    if (type == String.class) {
      return JsonFields.asText(node, where);
    }
    if (type == BlobId.class) {
      return blob(node, where);
    }
    if (type.isEnum()) {
      return constant(JsonFields.asText(node, where), where, type);
    }
    return read(node, where, type.asSubclass(Record.class));
  }

  private static Object constant(String text, String where, Class<?> type) {
    List<Object> constants = Arrays.asList(type.getEnumConstants());
    return constants.stream()
        .filter(constant -> constant.toString().equalsIgnoreCase(text.strip()))
        .findFirst()
        .orElseThrow(
            () ->
                ApiException.invalid(
                    where,
                    "%s=%s: must be one of %s."
                        .formatted(
                            where,
                            text,
                            constants.stream()
                                .map(Object::toString)
                                .collect(Collectors.joining(", ")))));
  }

  private static BlobId blob(JsonNode node, String where) {
    JsonNode word = node.isObject() ? node.path("sha256") : node;
    if (!word.isTextual() || !BlobId.isValid(word.textValue())) {
      throw ApiException.invalid(
          where, where + " must be the SHA-256 of the file's content in lower-case hexadecimal.");
    }
    return new BlobId(word.textValue());
  }

  private static <T extends Record> T create(
      Class<T> type, JsonFields fields, List<@Nullable Object> values) {
    try {
      Class<?>[] types =
          Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getType)
              .toArray(Class<?>[]::new);
      Constructor<T> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(values.toArray());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException wrong) {
        String path = fields.at("").replaceAll("\\.$", "");
        throw ApiException.invalid(path, (path.isEmpty() ? "" : path + ": ") + wrong.getMessage());
      }
      throw new IllegalStateException("cannot make a " + type, e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make a " + type, e);
    }
  }
}
