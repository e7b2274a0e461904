/** Which agents fit which stages, and why others do not. */
@NullMarked
package dev.imker.core.matching;

import org.jspecify.annotations.NullMarked;
