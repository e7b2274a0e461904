/** Untrusted text and paths, made safe; similar names. */
@NullMarked
package dev.imker.model.text;

import org.jspecify.annotations.NullMarked;
