@NullMarked
package dev.imker.agent.internal.link;

import org.jspecify.annotations.NullMarked;
