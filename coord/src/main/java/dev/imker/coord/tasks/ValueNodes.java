package dev.imker.coord.tasks;

import dev.imker.coord.tasks.TaskCoordination.Counted;
import dev.imker.coord.tasks.TaskCoordination.Named;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/** Counters and named values in nodes of ZooKeeper, whose versions are those of the nodes. */
record ValueNodes(Nodes nodes, Answers answers) {
  private static final byte[] NOTHING = new byte[0];

  Counted counted(String path) {
    return nodes
        .read(path)
        .map(content -> new Counted(number(content.data()), content.version()))
        .orElse(new Counted(0, 0));
  }

  Optional<Counted> set(String path, long value, long version, Answers.Question question) {
    nodes.create(path, number(0));
    if (version > Integer.MAX_VALUE) {
      return Optional.empty(); // no node has this version
    }
    if (question.once().isNone()) {
      return nodes.write(path, number(value), (int) version)
          ? Optional.of(new Counted(value, version + 1))
          : Optional.empty();
    }
    return answers
        .once(
            question,
            () ->
                Optional.of(counted(path))
                    .filter(now -> now.version() == version)
                    .map(_ -> counting(path, value, (int) version, question)))
        .map(ValueNodes::counted);
  }

  Counted add(String path, long delta, Answers.Question question) {
    if (question.once().isNone()) {
      return add(path, delta);
    }
    nodes.create(path, number(0));
    return answers
        .once(
            question,
            () -> {
              Counted now = counted(path);
              return Optional.of(
                  counting(path, now.value() + delta, (int) now.version(), question));
            })
        .map(ValueNodes::counted)
        .orElseThrow();
  }

  /**
   * @throws dev.imker.coord.UnsureException if it may have been added
   */
  Counted add(String path, long delta) {
    while (true) {
      nodes.create(path, number(0));
      Counted now = counted(path);
      long next = now.value() + delta;
      if (nodes.write(path, number(next), (int) now.version())) {
        return new Counted(next, now.version() + 1);
      }
    }
  }

  private Answers.Try counting(String path, long value, int version, Answers.Question question) {
    return new Answers.Try(
        nodes.writing(path, number(value), version), question.told(value, version + 1L, NOTHING));
  }

  private static Counted counted(Told told) {
    return new Counted(told.value(), told.version());
  }

  Named named(String path) {
    return nodes
        .read(path)
        .map(content -> new Named(content.data(), content.version() + 1L))
        .orElse(new Named(NOTHING, 0));
  }

  /**
   * @throws dev.imker.coord.UnsureException if it may have been set, and has no mark
   */
  Optional<Named> configure(
      String path, byte[] data, OptionalLong version, Answers.Question question) {
    if (!question.once().isNone()) {
      nodes.create(path.substring(0, path.lastIndexOf('/')), NOTHING);
      return answers
          .once(
              question,
              () ->
                  Optional.of(named(path))
                      .filter(now -> version.isEmpty() || version.getAsLong() == now.version())
                      .map(now -> naming(path, data, now.version(), question)))
          .map(told -> new Named(data, told.version()));
    }
    while (true) {
      Named now = named(path);
      if (version.isPresent() && version.getAsLong() != now.version()) {
        return Optional.empty();
      }
      boolean set =
          now.version() == 0
              ? nodes.createOnce(path, data)
              : nodes.write(path, data, (int) now.version() - 1);
      if (set) {
        return Optional.of(new Named(data, now.version() + 1));
      }
    }
  }

  private Answers.Try naming(String path, byte[] data, long version, Answers.Question question) {
    return new Answers.Try(
        version == 0 ? nodes.creating(path, data) : nodes.writing(path, data, (int) version - 1),
        question.told(0, version + 1, NOTHING));
  }

  private static byte[] number(long value) {
    return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
  }

  private static long number(byte[] data) {
    return Long.parseLong(new String(data, StandardCharsets.US_ASCII));
  }
}
