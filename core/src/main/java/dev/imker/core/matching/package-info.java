/** Which agents fit which stages, and why one does not. */
@NullMarked
package dev.imker.core.matching;

import org.jspecify.annotations.NullMarked;
