package dev.imker.server.internal.rest.request;

import dev.imker.model.connection.JoinLines;
import dev.imker.server.gateway.AgentGateway;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.auth.Authenticator;
import dev.imker.server.internal.auth.JobSecrets;
import dev.imker.server.internal.auth.PasswordLogin;
import dev.imker.server.internal.coord.TaskCoordinator;
import dev.imker.server.internal.data.PoolDataSets;
import dev.imker.server.internal.rest.changes.Changes;
import dev.imker.server.internal.retention.Retention;
import dev.imker.server.internal.settings.DiskReserve;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.PoolStore;
import dev.imker.store.Reads;
import dev.imker.store.blobs.BlobStore;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What the routes work with.
 *
 * @param urls where the server can be reached, once it is known
 * @param joinTokens makes a join token of a secret; of none, that of the pool
 * @param joinLines makes the lines that run on other machines, likewise
 */
public record RouteParts(
    String poolName,
    String version,
    Supplier<List<String>> urls,
    UnaryOperator<String> joinTokens,
    Function<String, JoinLines> joinLines,
    SchedulerLoop loop,
    PoolStore store,
    BlobStore blobs,
    AgentGateway gateway,
    Changes changes,
    PrometheusMeterRegistry registry,
    Accounts accounts,
    Authenticator authenticator,
    PasswordLogin passwords,
    JobSecrets secrets,
    DiskReserve disk,
    Retention retention,
    PoolDataSets dataSets,
    TaskCoordinator coordinator,
    Clock clock) {
  public Reads reads() {
    return store.reads();
  }
}
