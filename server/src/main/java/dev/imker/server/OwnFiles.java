package dev.imker.server;

import dev.imker.model.BlobId;
import dev.imker.server.internal.data.PoolDataSets;
import dev.imker.server.internal.library.TaskLibraries;
import dev.imker.server.internal.rest.plan.PlannedJobs;
import dev.imker.server.update.AgentRelease;
import dev.imker.store.PoolStore;
import java.util.ArrayList;
import java.util.List;

/** Files that agents fetch although no job refers to them. */
record OwnFiles(PoolStore store, PoolDataSets dataSets, AgentRelease release) {
  List<BlobId> blobs() {
    List<BlobId> own = new ArrayList<>(dataSets.blobs());
    String build = release.offer().build();
    if (!build.isEmpty()) {
      own.add(new BlobId(build));
    }
    store.drops().forEachOpenBlob(own::add);
    new TaskLibraries(store).all().forEach(library -> own.add(library.blob()));
    PlannedJobs.files(store).forEach(own::add);
    return own;
  }
}
