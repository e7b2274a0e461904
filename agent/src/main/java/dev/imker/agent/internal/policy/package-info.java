/** What the owner of a machine lends to the pool, and on which terms. */
@NullMarked
package dev.imker.agent.internal.policy;

import org.jspecify.annotations.NullMarked;
