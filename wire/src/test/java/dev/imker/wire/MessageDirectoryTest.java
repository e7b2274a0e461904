package dev.imker.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.wire.proto.AgentProto;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.Stop;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class MessageDirectoryTest {

  @Test
  void second_message_under_the_same_numbers_is_refused() {
    MessageDirectory.Builder builder =
        MessageDirectory.builder().register(7, 1, Hello.class, Hello.parser());
    assertThatThrownBy(() -> builder.register(7, 1, Stop.class, Stop.parser()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Hello");
  }

  @Test
  void second_registration_of_a_class_is_refused() {
    MessageDirectory.Builder builder =
        MessageDirectory.builder().register(7, 1, Hello.class, Hello.parser());
    assertThatThrownBy(() -> builder.register(7, 2, Hello.class, Hello.parser()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("registered already");
  }

  @Test
  void refused_registration_leaves_its_numbers_free() {
    MessageDirectory.Builder builder =
        MessageDirectory.builder().register(7, 1, Hello.class, Hello.parser());
    assertThatThrownBy(() -> builder.register(7, 2, Hello.class, Hello.parser()))
        .isInstanceOf(IllegalStateException.class);
    MessageDirectory directory = builder.register(7, 2, Stop.class, Stop.parser()).build();
    MessageEntry<?> entry = directory.find(7, 2);
    assertThat(entry == null ? null : entry.messageClass()).isEqualTo(Stop.class);
  }

  @Test
  void second_handler_is_refused() {
    MessageDirectory.Builder builder = MessageTypes.directory().on(Drain.class, (_, _) -> {});
    assertThatThrownBy(() -> builder.onInline(Drain.class, (_, _) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has a handler already");
  }

  @Test
  void handler_of_an_unregistered_class_is_refused() {
    assertThatThrownBy(() -> MessageDirectory.builder().on(Drain.class, (_, _) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not registered");
  }

  @Test
  void reserved_and_impossible_numbers_are_refused() {
    for (int[] numbers : new int[][] {{0, 1}, {1, 1}, {256, 1}, {7, -1}, {7, 256}}) {
      assertThatThrownBy(
              () ->
                  MessageDirectory.builder()
                      .register(numbers[0], numbers[1], Stop.class, Stop.parser()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void message_of_an_unknown_class_cannot_be_sent() {
    assertThatThrownBy(() -> MessageTypes.directory().build().entryOf("text"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not in the message directory");
  }

  @Test
  void every_message_of_the_agent_protocol_that_travels_alone_has_numbers() {
    MessageDirectory directory = MessageTypes.directory().build();
    Set<String> parts =
        Set.of("Lease", "ResultFile", "InputFile", "SpawnOutcome", "TaskUsage", "MachineUsage");
    Set<String> registered =
        java.util.stream.IntStream.range(0, 1 << 16)
            .mapToObj(code -> directory.find(code >> 8, code & 0xFF))
            .filter(entry -> entry != null)
            .map(MessageEntry::name)
            .collect(Collectors.toSet());
    Set<String> described =
        AgentProto.getDescriptor().getMessageTypes().stream()
            .map(type -> type.getName())
            .filter(name -> !parts.contains(name))
            .collect(Collectors.toSet());
    assertThat(registered).isEqualTo(described);
  }
}
