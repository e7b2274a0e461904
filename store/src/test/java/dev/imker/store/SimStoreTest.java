package dev.imker.store;

import dev.imker.store.simulated.SimDisk;
import dev.imker.store.simulated.SimStore;

class SimStoreTest extends PoolStoreContract {
  private final SimDisk disk = new SimDisk(1);

  @Override
  public PoolStore open() {
    disk.dropAllUnsynced();
    return new SimStore(disk, false, SimStore.Faults.NONE);
  }
}
