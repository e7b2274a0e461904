package dev.imker.server.internal.rest.nodes;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.imker.core.message.AmountView;
import dev.imker.model.job.Requirements;
import dev.imker.server.http.Json;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much there is of something, and how much of it tasks have: bytes of memory and disk, a number
 * of all else.
 *
 * @param items its pieces by name, if it has any
 */
public record Amount(
    @JsonSerialize(using = Json.PlainNumber.class) double has,
    @JsonSerialize(using = Json.PlainNumber.class) double taken,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> items) {
  public static SortedMap<String, Amount> all(Map<String, AmountView> amounts) {
    SortedMap<String, Amount> all = new TreeMap<>();
    amounts.forEach(
        (name, amount) -> {
          double unit = isBytes(name) ? 1 : Requirements.HUNDREDTHS;
          if (amount.has() > 0 || amount.taken() > 0) {
            all.put(name, new Amount(amount.has() / unit, amount.taken() / unit, amount.items()));
          }
        });
    return all;
  }

  public static boolean isBytes(String name) {
    return name.equals("memory") || name.equals("disk");
  }
}
