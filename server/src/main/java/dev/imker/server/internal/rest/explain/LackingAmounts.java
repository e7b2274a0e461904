package dev.imker.server.internal.rest.explain;

import dev.imker.core.message.AmountView;
import dev.imker.core.message.HeldAmounts;
import dev.imker.core.message.ReservationView;
import dev.imker.model.Granted;
import dev.imker.model.TaskId;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What a machine that could run a task has too little of at the moment, who has it, and until when.
 *
 * @param machine its name
 * @param amounts what it has and what of it is taken
 * @param shared the same of what exists once for all machines
 * @param held who has what of both
 */
record LackingAmounts(
    String machine,
    Map<String, AmountView> amounts,
    Map<String, AmountView> shared,
    Supplier<List<HeldAmounts>> held,
    long nowMillis) {
  private static final int MAX_HOLDERS = 3;
  private static final double GIGABYTE = 1L << 30;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY_AND_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** In words, what each alternative lacks; empty if one of them could start now. */
  List<String> of(Requirements needs, int attempt) {
    List<Need> ways = needs.alternatives().isEmpty() ? List.of(Need.NOTHING) : needs.alternatives();
    List<String> all = new ArrayList<>();
    for (Need need : ways) {
      List<String> lacking = lacking(need, attempt);
      if (lacking.isEmpty()) {
        return List.of();
      }
      all.add(String.join("; ", lacking));
    }
    return all;
  }

  /** Whether one of the alternatives could start now. */
  boolean isNone(Requirements needs, int attempt) {
    List<Need> ways = needs.alternatives().isEmpty() ? List.of(Need.NOTHING) : needs.alternatives();
    return ways.stream()
        .anyMatch(
            need ->
                wanted(need, attempt).entrySet().stream()
                    .noneMatch(one -> lacks(one.getKey(), one.getValue())));
  }

  private List<String> lacking(Need need, int attempt) {
    return wanted(need, attempt).entrySet().stream()
        .filter(one -> lacks(one.getKey(), one.getValue()))
        .map(one -> inWords(one.getKey(), one.getValue()))
        .toList();
  }

  private boolean lacks(String name, long wanted) {
    AmountView amount = shared.getOrDefault(name, amounts.get(name));
    return amount != null && amount.free() < wanted && amount.has() >= wanted;
  }

  private SortedMap<String, Long> wanted(Need need, int attempt) {
    SortedMap<String, Long> wanted = new TreeMap<>();
    AmountView cores = amounts.get("cores");
    wanted.put(
        "cores",
        need.wholeMachine()
            ? cores == null ? 0 : cores.has()
            : need.cores() == 0 ? Requirements.HUNDREDTHS : Requirements.hundredths(need.cores()));
    wanted.put("gpus", Requirements.hundredths(need.gpus()));
    wanted.put("memory", need.memoryBytes());
    wanted.put("disk", need.diskBytes());
    need.resources().forEach((name, amount) -> wanted.put(name, Requirements.hundredths(amount)));
    need.byAttempt().forEach(name -> wanted.computeIfPresent(name, (_, first) -> first * attempt));
    return wanted;
  }

  private String inWords(String name, long wanted) {
    AmountView amount = Objects.requireNonNull(shared.getOrDefault(name, amounts.get(name)));
    String who = shared.containsKey(name) ? "the pool" : machine;
    List<HeldAmounts> holders =
        held.get().stream()
            .filter(one -> one.granted().of(name) > 0)
            .sorted(Comparator.comparingLong(HeldAmounts::expectedEndMillis))
            .toList();
    boolean one = amount.taken() <= Requirements.HUNDREDTHS && !isBytes(name);
    return "needs %s; %s has %s, %s %s taken%s"
        .formatted(
            withName(name, wanted),
            who,
            number(name, amount.has()),
            number(name, amount.taken()),
            one || isBytes(name) ? "is" : "are",
            holders.isEmpty() ? "" : " " + holders(name, holders));
  }

  private String holders(String name, List<HeldAmounts> holders) {
    if (holders.size() == 1) {
      HeldAmounts only = holders.getFirst();
      return until(only.expectedEndMillis()) + "by " + only.task();
    }
    String first =
        holders.stream()
            .limit(MAX_HOLDERS)
            .map(
                one ->
                    "%s %sby %s"
                        .formatted(
                            number(name, one.granted().of(name)),
                            until(one.expectedEndMillis()),
                            one.task()))
            .collect(Collectors.joining(", "));
    int more = holders.size() - MAX_HOLDERS;
    return "(" + first + (more > 0 ? ", and by %,d others".formatted(more) : "") + ")";
  }

  /** For whom the machine is kept, if it is. */
  static String kept(String machine, ReservationView kept, TaskId task, long nowMillis) {
    boolean known = kept.startMillis() < Long.MAX_VALUE;
    String when = known ? time(kept.startMillis(), nowMillis) : "";
    if (task.equals(kept.task())) {
      return "  %s is reserved for it%s."
          .formatted(machine, known ? ": it should start at about " + when : "");
    }
    TaskId other = kept.task();
    return "  %s is reserved for %s%s; until then it runs only tasks that end before."
        .formatted(
            machine,
            other == null ? "a gang of " + kept.count() + " tasks" : other.toString(),
            known ? ", which should start at about " + when : "");
  }

  private String until(long endMillis) {
    return endMillis == Long.MAX_VALUE ? "" : "until about " + time(endMillis, nowMillis) + " ";
  }

  private static String time(long millis, long nowMillis) {
    Instant then = Instant.ofEpochMilli(millis);
    return (day(then).equals(day(Instant.ofEpochMilli(nowMillis))) ? TIME : DAY_AND_TIME)
        .format(then);
  }

  private static LocalDate day(Instant moment) {
    return LocalDate.ofInstant(moment, ZoneOffset.UTC);
  }

  private static boolean isBytes(String name) {
    return name.equals("memory") || name.equals("disk");
  }

  private static String withName(String name, long amount) {
    return switch (name) {
      case "memory", "disk" -> number(name, amount) + " of " + name;
      case "gpus" -> number(name, amount) + (amount == Requirements.HUNDREDTHS ? " GPU" : " GPUs");
      case "cores" ->
          number(name, amount) + (amount == Requirements.HUNDREDTHS ? " core" : " cores");
      default -> number(name, amount) + " " + name;
    };
  }

  private static String number(String name, long amount) {
    return isBytes(name)
        ? String.format(Locale.ROOT, "%.1f GB", amount / GIGABYTE)
        : Granted.inWords(amount);
  }
}
