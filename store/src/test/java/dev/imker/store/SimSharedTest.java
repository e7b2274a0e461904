package dev.imker.store;

import dev.imker.store.simulated.SimDisk;
import dev.imker.store.simulated.SimStore;

class SimSharedTest extends SharedContract {
  private final SimDisk disk = new SimDisk(1);

  @Override
  PoolStore open() {
    return new SimStore(disk, false, SimStore.Faults.NONE);
  }
}
