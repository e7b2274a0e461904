package dev.imker.bench.packing;

/** What a machine has, or a task asks for. */
record Amounts(int cores, int gigabytes, int gpus) {
  static final String[] NAMES = {"cores", "memory", "gpus"};

  int of(int resource) {
    return switch (resource) {
      case 0 -> cores;
      case 1 -> gigabytes;
      default -> gpus;
    };
  }
}
