package dev.imker.charts.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.charts.ChartException;

/** Plans and results as JSON; numbers that are none are written as strings. */
public final class ChartJson {
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  private ChartJson() {}

  public static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new ChartException("Cannot write JSON: " + e.getOriginalMessage(), e);
    }
  }

  public static <T> T read(String json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (JsonProcessingException e) {
      throw new ChartException("Cannot read JSON: " + e.getOriginalMessage(), e);
    }
  }
}
