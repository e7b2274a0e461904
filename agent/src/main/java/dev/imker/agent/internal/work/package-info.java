/** The private folders that tasks run in: inputs laid in, results taken out. */
@NullMarked
package dev.imker.agent.internal.work;

import org.jspecify.annotations.NullMarked;
