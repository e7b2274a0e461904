package dev.imker.tasks.coordination;

import static dev.imker.tasks.coordination.AskedThing.number;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

record AskedGroup(AskedThing group) implements Group {
  @Override
  public Members join() throws InterruptedException {
    return members(group.ask("join"));
  }

  @Override
  public Members leave() throws InterruptedException {
    return members(group.ask("leave"));
  }

  @Override
  public Members members() throws InterruptedException {
    return members(group.ask("members"));
  }

  @Override
  public Optional<Event> awaitChange(Members known, Duration patience) throws InterruptedException {
    return group
        .await(
            "members",
            Map.of("version", known.version()),
            patience,
            answer -> number(answer, "version") != known.version())
        .map(answer -> event(known, members(answer)));
  }

  private static Members members(Map<String, Object> answer) {
    SortedSet<String> tasks = new TreeSet<>();
    if (answer.get("members") instanceof Collection<?> all) {
      all.forEach(task -> tasks.add(String.valueOf(task)));
    }
    return new Members(tasks, number(answer, "version"));
  }

  private static Event event(Members before, Members now) {
    SortedSet<String> joined = new TreeSet<>(now.tasks());
    joined.removeAll(before.tasks());
    SortedSet<String> left = new TreeSet<>(before.tasks());
    left.removeAll(now.tasks());
    return new Event(joined, left, now);
  }
}
