/**
 * Routes of files and values kept for jobs: blobs, data sets, libraries, blackboard, coordination.
 */
@NullMarked
package dev.imker.server.internal.rest.data;

import org.jspecify.annotations.NullMarked;
