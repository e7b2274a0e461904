package dev.imker.core.strategy.catalogue;

import dev.imker.core.strategy.Choice;

/** Judges what a node can finish by its up-times, the current one included. */
final class UptimeFit extends WishedRunLength {
  private final Scale scale;

  UptimeFit(Scale scale) {
    this.scale = scale;
  }

  @Override
  public String name() {
    return "uptime:s=" + scale;
  }

  @Override
  double wishedMinutes(Choice choice) {
    double uptime = Math.floor(choice.node().uptimeMinutes(choice.nowMillis()));
    return scale.stretch(choice.pool(), choice.node().reputation(), uptime, uptime);
  }
}
