/** Diagnosing a machine that is to be lent. */
@NullMarked
package dev.imker.agent.internal.doctor;

import org.jspecify.annotations.NullMarked;
