/**
 * What is known of agents besides what the scheduler knows: keys, trust, terms, and what their
 * owners said.
 */
@NullMarked
package dev.imker.server.live.standing;

import org.jspecify.annotations.NullMarked;
