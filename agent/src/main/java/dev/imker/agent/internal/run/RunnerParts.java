package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.Reporting;
import dev.imker.agent.internal.lease.Trouble;
import dev.imker.agent.internal.lease.Uplink;
import dev.imker.agent.internal.policy.CurrentOffer;
import dev.imker.agent.internal.process.CorePinning;
import dev.imker.agent.internal.process.ProcessExecutor;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.report.Delivery;
import dev.imker.agent.internal.work.WorkArea;

/** The collaborators of a runner. */
public record RunnerParts(
    WorkArea area,
    Preparation preparation,
    Reporting reporting,
    Delivery delivery,
    ProcessExecutor processes,
    TaskEnvironment environment,
    JavaRuns java,
    Uplink uplink,
    ProcessPriority priority,
    long stopGraceMillis,
    CurrentOffer offer,
    CorePinning pinning,
    Enclosure enclosure,
    RunWatch watch,
    Checkpointing checkpointing,
    Trouble trouble) {}
