/** Named sets of files that the pool keeps for everybody's jobs. */
@org.jspecify.annotations.NullMarked
package dev.imker.server.internal.data;
