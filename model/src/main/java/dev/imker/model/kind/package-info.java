/** What kinds of jobs are programmed against that a server finds in its folder {@code kinds}. */
@NullMarked
package dev.imker.model.kind;

import org.jspecify.annotations.NullMarked;
