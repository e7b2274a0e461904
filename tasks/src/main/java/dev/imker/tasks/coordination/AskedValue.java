package dev.imker.tasks.coordination;

import static dev.imker.tasks.coordination.AskedThing.number;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

record AskedValue(AskedThing value) implements SharedValue {
  @Override
  public Reading get() throws InterruptedException {
    return reading(value.ask("get"));
  }

  @Override
  public Reading set(String text) throws InterruptedException {
    return reading(value.ask("set", Map.of("data", text)));
  }

  @Override
  public Optional<Reading> set(Reading read, String text) throws InterruptedException {
    Map<String, Object> answer = value.ask("set", Map.of("data", text, "version", read.version()));
    return AskedThing.flag(answer, Asker.CONFLICT)
        ? Optional.empty()
        : Optional.of(reading(answer));
  }

  @Override
  public Optional<Reading> awaitChange(Reading read, Duration patience)
      throws InterruptedException {
    return value
        .await(
            "watch",
            Map.of("version", read.version()),
            patience,
            answer -> number(answer, "version") != read.version())
        .map(AskedValue::reading);
  }

  private static Reading reading(Map<String, Object> answer) {
    return new Reading(String.valueOf(answer.get("data")), number(answer, "version"));
  }
}
