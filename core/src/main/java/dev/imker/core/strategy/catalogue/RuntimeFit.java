package dev.imker.core.strategy.catalogue;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.strategy.Choice;

/** Judges what a node can finish by the run times of its successes and failures. */
final class RuntimeFit extends WishedRunLength {
  private final Scale scale;

  RuntimeFit(Scale scale) {
    this.scale = scale;
  }

  @Override
  public String name() {
    return "runtime:s=" + scale;
  }

  @Override
  double wishedMinutes(Choice choice) {
    NodeProfile node = choice.node();
    double failed = Math.floor(node.failedMinutes());
    double done = Math.floor(node.succeededMinutes());
    return scale.stretch(choice.pool(), node.reputation(), failed, done);
  }
}
