/** What the training of a fast start sends to its pool, as programs send their own classes. */
@NullMarked
package dev.imker.training;

import org.jspecify.annotations.NullMarked;
