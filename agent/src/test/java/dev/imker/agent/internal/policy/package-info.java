@NullMarked
package dev.imker.agent.internal.policy;

import org.jspecify.annotations.NullMarked;
