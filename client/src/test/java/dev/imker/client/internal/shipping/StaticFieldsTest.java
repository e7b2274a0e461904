package dev.imker.client.internal.shipping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.shipped.Counting;
import dev.imker.shipped.UsesBuzzing;
import java.util.List;
import org.junit.jupiter.api.Test;

class StaticFieldsTest {
  @Test
  void fields_that_a_call_reads_are_told_once() {
    StaticFields fields = new StaticFields();
    assertThat(fields.of(Counting.readingNothing())).isEmpty();
    assertThat(fields.of(Counting.reading())).containsExactly("dev.imker.shipped.Counting.count");
    assertThat(fields.of(Counting.reading())).isEmpty();
  }

  @Test
  void a_call_that_comes_to_a_native_method_is_refused_and_no_other_one_beside_it() {
    StaticFields fields = new StaticFields();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> fields.of(UsesBuzzing.buzzing()))
          .isInstanceOf(NotShippableException.class)
          .hasMessageContaining("Buzzing has native methods");
      assertThat(fields.of(UsesBuzzing.silent())).isEmpty();
      new Shipping(List.of()).require(UsesBuzzing.class);
    }
  }

  @Test
  void a_call_that_would_connect_to_a_pool_is_refused_each_time() {
    StaticFields fields = new StaticFields();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> fields.of(Counting.connecting()))
          .isInstanceOf(NotShippableException.class)
          .hasMessageContaining("spawn");
    }
  }
}
