/** The API for kinds of jobs, which a server loads from its folder {@code kinds}. */
@NullMarked
package dev.imker.model.kind;

import org.jspecify.annotations.NullMarked;
