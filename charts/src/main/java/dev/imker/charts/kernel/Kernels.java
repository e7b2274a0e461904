package dev.imker.charts.kernel;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Our own array kernels by the key of the ta4j signature they equal. */
final class Kernels {
  private static final Map<String, Kernel> BY_KEY = registered();

  private Kernels() {}

  private static Map<String, Kernel> registered() {
    Map<String, Kernel> kernels = new HashMap<>();
    PriceKernels.register(kernels);
    AverageKernels.register(kernels);
    OscillatorKernels.register(kernels);
    ChannelKernels.register(kernels);
    TrendKernels.register(kernels);
    VolumeKernels.register(kernels);
    return Map.copyOf(kernels);
  }

  static @Nullable Kernel find(String key) {
    return BY_KEY.get(key);
  }

  static Set<String> keys() {
    return BY_KEY.keySet();
  }
}
