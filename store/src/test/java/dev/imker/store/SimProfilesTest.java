package dev.imker.store;

import dev.imker.store.simulated.SimDisk;
import dev.imker.store.simulated.SimStore;

class SimProfilesTest extends ProfilesContract {
  private final SimDisk disk = new SimDisk(1);

  @Override
  public PoolStore open() {
    return new SimStore(disk, false, SimStore.Faults.NONE);
  }
}
