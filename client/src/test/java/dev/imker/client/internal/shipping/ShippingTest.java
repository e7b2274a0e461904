package dev.imker.client.internal.shipping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.shipped.Buzzing;
import dev.imker.shipped.Quiet;
import dev.imker.shipped.UsesBuzzing;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShippingTest {
  @Test
  void native_methods_are_refused_however_often_and_whoever_needs_them() {
    Shipping shipping = new Shipping(List.of());
    for (Class<?> type : List.of(UsesBuzzing.class, UsesBuzzing.class, Buzzing.class)) {
      assertThatThrownBy(() -> shipping.require(type))
          .isInstanceOf(NotShippableException.class)
          .hasMessageContaining("native methods");
    }
    shipping.require(Quiet.class);
    assertThat(shipping.library().jars()).hasSize(1);
  }
}
