package dev.imker.chaos.simulated;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.Change;
import dev.imker.store.RecoverySink;
import dev.imker.store.StoreException;
import dev.imker.store.simulated.SimDisk;
import dev.imker.store.simulated.SimStore;
import java.util.ArrayList;
import java.util.List;

/** Stores that are wrong in one way each. */
enum MutantStores implements Simulation.Stores {
  /** A deposed leader can write. */
  FENCE_REMOVED {
    @Override
    public SimStore open(SimDisk disk, boolean shared, SimStore.Faults faults) {
      return new SimStore(disk, shared, faults) {
        @Override
        protected void fence() {}
      };
    }
  },

  /** A turn is told before it is written, which happens together with the next one. */
  CONFIRMED_BEFORE_COMMIT {
    @Override
    public SimStore open(SimDisk disk, boolean shared, SimStore.Faults faults) {
      return new SimStore(disk, shared, faults) {
        private List<Change> waiting = List.of();

        @Override
        public void commit(List<Change> changes) {
          List<Change> former = waiting;
          waiting = new ArrayList<>(changes);
          super.commit(former);
        }
      };
    }
  },

  /** Most transactions are written and not synced. */
  NOT_SYNCED {
    @Override
    public SimStore open(SimDisk disk, boolean shared, SimStore.Faults faults) {
      return new SimStore(disk, shared, faults) {
        private int transactions;

        @Override
        protected void sync() {
          if (++transactions % 4 == 0) {
            super.sync();
          }
        }
      };
    }
  },

  /** A reading that fails half-way counts as done. */
  HALF_READ {
    @Override
    public SimStore open(SimDisk disk, boolean shared, SimStore.Faults faults) {
      return new SimStore(disk, shared, faults) {
        @Override
        public boolean load(JobId id, RecoverySink recovery) {
          try {
            return super.load(id, recovery);
          } catch (StoreException e) {
            return true;
          }
        }
      };
    }
  },

  /** Those who follow are not told that tasks have ended. */
  ENDS_NOT_LOGGED {
    @Override
    public SimStore open(SimDisk disk, boolean shared, SimStore.Faults faults) {
      return new SimStore(disk, shared, faults) {
        @Override
        protected List<Change> noted(List<Change> changes) {
          return changes.stream().filter(change -> !(change instanceof AttemptEnded)).toList();
        }
      };
    }
  },

  /** Nobody knows in which order tasks were done. */
  UNDONE_BY_ID {
    @Override
    public SimStore open(SimDisk disk, boolean shared, SimStore.Faults faults) {
      return new SimStore(disk, shared, faults) {
        @Override
        protected void tellDone(RecoverySink recovery, TaskId task, long atMillis) {
          recovery.done(task, 0);
        }
      };
    }
  }
}
