package dev.imker.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.change.Change;
import dev.imker.model.change.SharedEntryPut;
import dev.imker.model.change.SharedEntryRemoved;
import dev.imker.model.change.SharedThingPut;
import dev.imker.model.change.SharedThingRemoved;
import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedKey;
import dev.imker.model.shared.SharedKind;
import dev.imker.model.shared.SharedThing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store must do with what running tasks share. */
abstract class SharedContract {
  private static final SharedKey COUNTER = new SharedKey("12", SharedKind.COUNTER, "c");
  private static final SharedKey QUEUE = new SharedKey("12", SharedKind.QUEUE, "c");

  PoolStore store;

  abstract PoolStore open();

  @BeforeEach
  void open_store() {
    store = open();
    store.beginEpoch();
  }

  @AfterEach
  void close_store() {
    store.close();
  }

  private Recovered afterRestart() {
    store.close();
    store = open();
    store.beginEpoch();
    return Recovered.of(store);
  }

  private void commit(Change... changes) {
    store.commit(List.of(changes));
  }

  private static SharedThingPut counter(long value, long version) {
    return new SharedThingPut(new SharedThing(COUNTER, value, version, bytes("\0" + value)));
  }

  private static SharedThing counter(Recovered recovered) {
    return Objects.requireNonNull(recovered.things.get(COUNTER));
  }

  private static SharedEntry item(long number) {
    return new SharedEntry(number, QUEUE, "12.3", "12-2-7-ab", bytes("\0" + number));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void things_and_entries_come_back_as_they_were_last() {
    commit(counter(1, 1), counter(Long.MIN_VALUE, 1L << 40));
    commit(new SharedEntryPut(item(1L << 50)), new SharedEntryPut(item(3)));
    Recovered recovered = afterRestart();
    SharedThing thing = counter(recovered);
    assertThat(thing.value()).isEqualTo(Long.MIN_VALUE);
    assertThat(thing.version()).isEqualTo(1L << 40);
    assertThat(thing.data()).containsExactly(bytes("\0" + Long.MIN_VALUE));
    assertThat(recovered.entries).extracting(SharedEntry::number).containsExactly(3L, 1L << 50);
    SharedEntry first = recovered.entries.getFirst();
    assertThat(first.key()).isEqualTo(QUEUE);
    assertThat(first.task()).isEqualTo("12.3");
    assertThat(first.lease()).isEqualTo("12-2-7-ab");
    assertThat(first.data()).containsExactly(bytes("\0003"));
  }

  @Test
  void an_entry_that_is_put_again_has_its_new_data() {
    commit(new SharedEntryPut(item(3)));
    commit(new SharedEntryPut(new SharedEntry(3, QUEUE, "12.3", "12-2-7-ab", bytes("new"))));
    assertThat(afterRestart().entries.getFirst().data()).containsExactly(bytes("new"));
  }

  @Test
  void what_is_removed_is_gone_also_in_the_transaction_that_put_it() {
    commit(counter(1, 1), new SharedEntryPut(item(1)), new SharedEntryPut(item(2)));
    commit(
        new SharedEntryRemoved(item(1)),
        new SharedEntryPut(item(4)),
        new SharedEntryRemoved(item(4)),
        new SharedThingRemoved(COUNTER),
        counter(9, 9));
    Recovered recovered = afterRestart();
    assertThat(recovered.entries).extracting(SharedEntry::number).containsExactly(2L);
    assertThat(counter(recovered).value()).isEqualTo(9);
    commit(new SharedThingRemoved(COUNTER), new SharedEntryRemoved(item(2)));
    recovered = afterRestart();
    assertThat(recovered.entries).isEmpty();
    assertThat(recovered.things).isEmpty();
  }
}
