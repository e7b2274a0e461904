/** Routes of jobs: submit, list, change, follow, archive. */
@NullMarked
package dev.imker.server.internal.rest.jobs;

import org.jspecify.annotations.NullMarked;
