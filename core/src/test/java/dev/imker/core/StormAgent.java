package dev.imker.core;

import dev.imker.core.message.AgentHello;
import dev.imker.model.AgentId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.Platform.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An agent as the storm plays it: what it believes to hold, and what it has reported. */
final class StormAgent {
  final AgentId id;
  final NodeId node;
  final int slots;
  final boolean strong;
  final List<Lease> held = new ArrayList<>();
  final List<Lease> reported = new ArrayList<>();
  final List<Lease> told = new ArrayList<>();
  long incarnation = 1;
  boolean connected;

  StormAgent(int number) {
    id = new AgentId("a" + number);
    // Two agents share a node.
    node = new NodeId("n" + number / 2);
    slots = 1 + number % 3;
    strong = number % 2 == 0;
  }

  AgentHello hello() {
    Platform platform =
        new Platform(
            "linux",
            "6",
            "amd64",
            "host",
            4,
            2,
            1L << 30,
            1L << 30,
            4000,
            Map.of(),
            strong ? Set.of("strong") : Set.of(),
            Map.of(),
            0,
            Map.of("fpga", Resource.of(2), "camera", Resource.of(List.of("left", "right"))));
    AgentHello hello =
        new AgentHello(id, node, id.value(), "1", platform, slots, incarnation, held);
    return slots == 2 ? hello.withoutSlotLimit() : hello;
  }
}
