package dev.imker.cli.submit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.ServerOptions;
import dev.imker.core.matching.UnmetNeeds;
import dev.imker.model.ImkerException;
import dev.imker.model.Platform;
import dev.imker.model.job.Requirements;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How much of a pool could run something; if no pool can be reached, it cannot be told. */
record PoolFit(Optional<List<Machine>> machines, Map<String, Double> shared) {
  record Machine(String name, int slots, Platform platform) {}

  static PoolFit of(ServerOptions server) {
    try (ApiClient api = server.connect()) {
      List<Machine> machines = new ArrayList<>();
      for (JsonNode node : api.get("/api/v1/nodes").path("nodes")) {
        if (node.path("connected").asBoolean()) {
          machines.add(
              new Machine(
                  node.path("name").asText(),
                  node.path("slots").asInt(),
                  platform(node.path("platform"))));
        }
      }
      Map<String, Double> shared = new HashMap<>();
      for (JsonNode one : api.get("/api/v1/resources").path("resources")) {
        shared.put(one.path("name").asText(), one.path("amount").asDouble());
      }
      return new PoolFit(Optional.of(machines), shared);
    } catch (ImkerException e) {
      return new PoolFit(Optional.empty(), Map.of());
    }
  }

  private static Platform platform(JsonNode node) {
    try {
      return ApiClient.json()
          .readerFor(Platform.class)
          .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .readValue(node.toString());
    } catch (JsonProcessingException e) {
      throw new ImkerException(
          "The server sent an answer that cannot be parsed: " + e.getMessage(), e);
    }
  }

  /** In words; empty if it cannot be told. */
  Optional<String> of(Requirements needs) {
    return machines.map(all -> inWords(needs, all));
  }

  private List<String> unmet(Requirements needs, Machine machine) {
    return UnmetNeeds.of(
        needs,
        machine.platform(),
        machine.platform().cores(),
        name -> shared.getOrDefault(name, -1.0));
  }

  private String inWords(Requirements needs, List<Machine> all) {
    List<Machine> fitting = all.stream().filter(m -> unmet(needs, m).isEmpty()).toList();
    if (fitting.isEmpty() && !all.isEmpty()) {
      Machine example = all.getFirst();
      return "none of %d machines; %s: %s"
          .formatted(all.size(), example.name(), String.join("; or ", unmet(needs, example)));
    }
    int slots = fitting.stream().mapToInt(Machine::slots).sum();
    return "%d of %d machines, %d slots".formatted(fitting.size(), all.size(), slots);
  }
}
