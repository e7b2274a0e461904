package dev.imker.tasks.coordination;

import static dev.imker.tasks.coordination.AskedThing.number;

import java.util.Map;

record AskedCounter(AskedThing counter) implements Counter {
  @Override
  public Reading get() throws InterruptedException {
    Map<String, Object> answer = counter.ask("get");
    return new Reading(number(answer, "value"), number(answer, "version"));
  }

  @Override
  public long add(long delta) throws InterruptedException {
    return number(counter.ask("add", Map.of("value", delta)), "value");
  }

  @Override
  public boolean set(Reading read, long value) throws InterruptedException {
    Map<String, Object> answer =
        counter.ask("set", Map.of("value", value, "version", read.version()));
    return !AskedThing.flag(answer, Asker.CONFLICT);
  }
}
