package dev.imker.cli.agent;

import dev.imker.agent.AgentSettings;
import dev.imker.agent.Offer;
import dev.imker.model.ImkerException;
import dev.imker.model.Platform.Resource;
import dev.imker.model.validation.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much of this machine tasks get. */
public final class OfferOptions {
  @Option(
      names = "--slots",
      paramLabel = "N",
      description =
          "Maximum number of tasks at once, whatever they need (default: as many as fit on"
              + " the cores).")
  @Nullable Integer slots;

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Cores to offer (default: all). A task gets as many as it asks for, or one.")
  @Nullable Integer cores;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Memory for all tasks together, for example 8GB (default: all).")
  @Nullable String memory;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      description = "GPUs to offer: devices 0 to N-1 (default: all that are detected).")
  @Nullable Integer gpus;

  @Option(
      names = "--resource",
      paramLabel = "NAME=N|[A,B]",
      description =
          "Any other resource that tasks can need: an amount, as in fpga=2, or named"
              + " items, as in camera=[left,right]; repeatable.")
  List<String> resources = new ArrayList<>();

  /** The settings with what was given. */
  public AgentSettings in(AgentSettings settings) {
    return settings.withOffer(offer()).withSlots(slots == null ? 0 : slots);
  }

  /**
   * What is offered.
   *
   * @throws ImkerException if something that was given makes no sense
   */
  public Offer offer() {
    atLeast("--slots", slots, 1);
    atLeast("--cores", cores, 1);
    atLeast("--gpus", gpus, 0);
    Offer offer = Offer.ALL;
    if (cores != null) {
      offer = offer.withCores(cores);
    }
    if (memory != null) {
      offer = offer.withMemory(parse("--memory", memory, Amounts.SIZES, Amounts::bytes));
    }
    if (gpus != null) {
      offer = offer.withGpus(gpus);
    }
    for (String resource : resources) {
      Map.Entry<String, Resource> one =
          parse(
              "--resource",
              resource,
              "a name with an amount, as in fpga=2, or with different items, as in"
                  + " camera=[left,right]; cores, memory and gpus have options of their own",
              Amounts::declared);
      offer = offer.with(one.getKey(), one.getValue());
    }
    return offer;
  }

  private static void atLeast(String option, @Nullable Integer given, int least) {
    if (given != null && given < least) {
      throw new ImkerException(option + " " + given + ": needs at least " + least + ".");
    }
  }

  private static <T> T parse(
      String option, String text, String expected, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new ImkerException(option + " takes " + expected + ", not '" + text + "'.", e);
    }
  }

  /** As they were given, for another process. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    add(arguments, "--slots", slots);
    add(arguments, "--cores", cores);
    add(arguments, "--memory", memory);
    add(arguments, "--gpus", gpus);
    resources.forEach(one -> add(arguments, "--resource", one));
    return arguments;
  }

  private static void add(List<String> arguments, String option, @Nullable Object value) {
    if (value != null) {
      arguments.addAll(List.of(option, value.toString()));
    }
  }
}
