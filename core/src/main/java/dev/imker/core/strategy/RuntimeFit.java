package dev.imker.core.strategy;

import dev.imker.core.profile.NodeProfile;

/** Judges what a node can finish by the run times of its successes and failures. */
public final class RuntimeFit extends WishedRunLength {
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
