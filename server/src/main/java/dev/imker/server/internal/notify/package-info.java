/** Tells people and programs that a job has settled: by mail and by web hook, once. */
@NullMarked
package dev.imker.server.internal.notify;

import org.jspecify.annotations.NullMarked;
