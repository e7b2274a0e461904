package dev.imker.store.internal.rows;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.JobId;
import dev.imker.model.Platform;
import dev.imker.model.job.JobSpec;
import dev.imker.store.StoreException;
import java.util.List;

/**
 * The JSON columns. Unknown fields of newer versions are ignored, missing fields of older versions
 * get their defaults.
 */
public final class JsonColumns {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  private JsonColumns() {}

  /** A text in its form in JSON columns. */
  public static String text(String text) {
    return write(text);
  }

  public static String spec(JobSpec spec) {
    return write(spec);
  }

  public static JobSpec spec(JobId job, String json) {
    try {
      return MAPPER.treeToValue(SpecVersions.current(MAPPER, json), JobSpec.class);
    } catch (JsonProcessingException | ClassCastException e) {
      throw new StoreException(
          "The stored specification of job "
              + job
              + " cannot be read. Was the database written by a newer version of Imker?",
          e);
    }
  }

  public static String command(List<String> command) {
    return write(command);
  }

  static List<String> command(String json) {
    return read(json, new TypeReference<List<String>>() {});
  }

  public static String platform(Platform platform) {
    return write(platform);
  }

  static Platform platform(String json) {
    return read(json, new TypeReference<Platform>() {});
  }

  private static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not to be written as JSON: " + value.getClass(), e);
    }
  }

  private static <T> T read(String json, TypeReference<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (JsonProcessingException e) {
      throw new StoreException("A column of the database holds unreadable JSON: " + json, e);
    }
  }
}
