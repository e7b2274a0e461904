package dev.imker.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.imker.model.Platform.Resource;
import dev.imker.model.validation.Amounts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OfferTest {
  @Test
  void amounts_and_items_are_declared_by_name() {
    assertThat(Amounts.declared("fpga=2")).isEqualTo(Map.entry("fpga", Resource.of(2)));
    assertThat(Amounts.declared("bus = 0.25")).isEqualTo(Map.entry("bus", Resource.of(0.25)));
    assertThat(Amounts.declared("camera=[left, right]"))
        .isEqualTo(Map.entry("camera", Resource.of(List.of("left", "right"))));
    assertThat(Amounts.bytes("8GB")).isEqualTo(8L << 30);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "fpga",
        "=2",
        "fpga=",
        "fpga=x",
        "fpga=-1",
        "fpga=0",
        "fpga=NaN",
        "fpga=1e30",
        "gpus=2",
        "camera=[]",
        "camera=[a,a]",
        "camera=[a",
        "camera=[a,,b]",
        "a b=1",
      })
  void whatever_is_neither_is_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Amounts.declared(text));
  }

  @Test
  void what_the_owner_limits_is_limited() {
    Offer limit = Offer.ALL.withCores(2).withGpus(0).with("fpga", Resource.of(1));
    assertThat(Offer.ALL.within(limit)).isEqualTo(limit);
    assertThat(limit.within(Offer.ALL)).isEqualTo(limit);
    Offer wanted = Offer.ALL.withCores(8).withMemory(5).withGpus(3).with("fpga", Resource.of(9));
    assertThat(wanted.within(limit)).isEqualTo(limit.withMemory(5));
    assertThat(Offer.ALL.withCores(1).within(limit).cores()).isOne();
  }
}
