package dev.imker.core.profile;

import dev.imker.model.ProjectId;
import java.util.Map;

/**
 * The part of a project's profile that is kept over restarts; minutes and bytes are oldest first.
 */
public record ProjectSnapshot(
    ProjectId project,
    double[] runMinutes,
    long[] memoryPeaks,
    Map<String, long[]> memoryPeaksByProgram,
    double coresPerTask) {}
