package dev.imker.model.account;

import dev.imker.model.BlobId;
import dev.imker.model.ProjectId;

/**
 * Named data posted by a task for others.
 *
 * @param project whose tasks see it
 * @param postedBy the task, as 12.3, or empty if a user did
 */
public record BoardItem(
    ProjectId project,
    String name,
    String description,
    BlobId blob,
    long size,
    String postedBy,
    long postedMillis,
    long expiresMillis) {}
