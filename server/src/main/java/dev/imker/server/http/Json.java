package dev.imker.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.Platform;
import dev.imker.model.job.Requirements;
import java.io.CharConversionException;
import java.io.IOException;
import java.util.Map;

/** JSON in and out. */
public final class Json {
  public static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .addMixIn(Requirements.Need.class, Amounts.class)
          .addMixIn(Platform.Resource.class, Amounts.class)
          .build();

  /** Amounts are written as people do: 2, not 2.0. */
  @SuppressWarnings("UnusedMethod") // Jackson looks at them
  private interface Amounts {
    @JsonSerialize(using = PlainNumber.class)
    double cores();

    @JsonSerialize(using = PlainNumber.class)
    double gpus();

    @JsonSerialize(using = PlainNumber.class)
    double amount();

    @JsonSerialize(contentUsing = PlainNumber.class)
    Map<String, Double> resources();
  }

  /** Whole numbers without a point. */
  public static final class PlainNumber extends JsonSerializer<Double> {
    @Override
    public void serialize(Double amount, JsonGenerator json, SerializerProvider context)
        throws IOException {
      if (amount == Math.rint(amount) && Math.abs(amount) < Long.MAX_VALUE) {
        json.writeNumber(amount.longValue());
      } else {
        json.writeNumber(amount);
      }
    }
  }

  private Json() {}

  public static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a view that is not JSON: " + value.getClass(), e);
    }
  }

  /** Reads a request's body; what is not JSON is the caller's mistake, and told with its place. */
  public static JsonNode parse(byte[] body) {
    try {
      JsonNode node = MAPPER.readTree(body);
      if (node == null || node.isMissingNode()) {
        throw ApiException.of(400, "not_json", "The body is empty; send a JSON object.");
      }
      return node;
    } catch (JsonProcessingException e) {
      var place = e.getLocation();
      throw ApiException.of(
          400,
          "not_json",
          "The body is not JSON: line %d, column %d: %s"
              .formatted(place.getLineNr(), place.getColumnNr(), e.getOriginalMessage()));
    } catch (CharConversionException e) {
      throw ApiException.of(400, "not_json", "The body is not UTF-8: " + e.getMessage());
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }
}
